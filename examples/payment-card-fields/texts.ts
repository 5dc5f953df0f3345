/** The texts of the page, in the languages of the payment pages. Those of fields and buttons that every page has are Purveyor's. */
export const texts = {
  en: {
    card: 'Card',
    receipt: 'Your receipt goes to this address, if you like one.',
    pay: 'Pay {amount}',
    declined: 'Your bank declined the card. Nothing was paid. Try another card.',
    funds: 'The card has too little money or too low a limit. Nothing was paid. Try another card.',
    unconfirmed: 'Your bank did not confirm the payment. Nothing was paid. Try again, or another card.',
    enterAgain: 'Please enter the card again. Nothing was paid.',
    confirm: 'Confirm the payment to your bank here.',
    ownPage: "Open the bank's page by itself",
  },
  nl: {
    card: 'Kaart',
    receipt: 'Wil je een bon, dan sturen we die naar dit adres.',
    pay: '{amount} betalen',
    declined: 'Je bank heeft de kaart geweigerd. Er is niets betaald. Probeer een andere kaart.',
    funds:
      'Er staat te weinig geld op de kaart of de limiet is te laag. Er is niets betaald. Probeer een andere kaart.',
    unconfirmed:
      'Je bank heeft de betaling niet bevestigd. Er is niets betaald. Probeer het opnieuw of met een andere kaart.',
    enterAgain: 'Vul de kaart opnieuw in. Er is niets betaald.',
    confirm: 'Bevestig de betaling hier bij je bank.',
    ownPage: 'Open de pagina van de bank apart',
  },
  de: {
    card: 'Karte',
    receipt: 'Wenn Sie einen Beleg möchten, geht er an diese Adresse.',
    pay: '{amount} bezahlen',
    declined: 'Ihre Bank hat die Karte abgelehnt. Es wurde nichts bezahlt. Versuchen Sie eine andere Karte.',
    funds:
      'Guthaben oder Limit der Karte reichen nicht aus. Es wurde nichts bezahlt. Versuchen Sie eine andere Karte.',
    unconfirmed:
      'Ihre Bank hat die Zahlung nicht bestätigt. Es wurde nichts bezahlt. Versuchen Sie es erneut oder mit einer anderen Karte.',
    enterAgain: 'Bitte geben Sie die Karte erneut ein. Es wurde nichts bezahlt.',
    confirm: 'Bestätigen Sie die Zahlung hier bei Ihrer Bank.',
    ownPage: 'Seite der Bank einzeln öffnen',
  },
  fr: {
    card: 'Carte',
    receipt: 'Si vous voulez un reçu, il est envoyé à cette adresse.',
    pay: 'Payer {amount}',
    declined: "Votre banque a refusé la carte. Rien n'a été payé. Essayez une autre carte.",
    funds: "Le solde ou le plafond de la carte ne suffit pas. Rien n'a été payé. Essayez une autre carte.",
    unconfirmed:
      "Votre banque n'a pas confirmé le paiement. Rien n'a été payé. Réessayez, ou prenez une autre carte.",
    enterAgain: "Veuillez saisir la carte à nouveau. Rien n'a été payé.",
    confirm: 'Confirmez ici le paiement à votre banque.',
    ownPage: 'Ouvrir la page de la banque à part',
  },
  es: {
    card: 'Tarjeta',
    receipt: 'Si desea un recibo, se envía a esta dirección.',
    pay: 'Pagar {amount}',
    declined: 'Su banco ha rechazado la tarjeta. No se ha pagado nada. Pruebe con otra tarjeta.',
    funds: 'El saldo o el límite de la tarjeta no alcanza. No se ha pagado nada. Pruebe con otra tarjeta.',
    unconfirmed:
      'Su banco no ha confirmado el pago. No se ha pagado nada. Inténtelo de nuevo o con otra tarjeta.',
    enterAgain: 'Introduzca la tarjeta de nuevo. No se ha pagado nada.',
    confirm: 'Confirme aquí el pago a su banco.',
    ownPage: 'Abrir la página del banco por separado',
  },
}
