/** The texts of the page, in the languages of all pages. */
export const texts = {
  en: {
    bank: 'Your bank',
    toBank: 'Continue to my bank',
    chooseBank: 'Choose the bank that you pay with.',
    noBanks: 'The banks cannot be reached right now. Nothing was paid.',
    tryAgain: 'Try again',
  },
  nl: {
    bank: 'Uw bank',
    toBank: 'Verder naar mijn bank',
    chooseBank: 'Kies de bank waarmee u betaalt.',
    noBanks: 'De banken zijn nu niet bereikbaar. Er is niets betaald.',
    tryAgain: 'Opnieuw proberen',
  },
  de: {
    bank: 'Ihre Bank',
    toBank: 'Weiter zu meiner Bank',
    chooseBank: 'Wählen Sie die Bank, mit der Sie bezahlen.',
    noBanks: 'Die Banken sind gerade nicht erreichbar. Es wurde nichts bezahlt.',
    tryAgain: 'Erneut versuchen',
  },
  fr: {
    bank: 'Votre banque',
    toBank: 'Continuer vers ma banque',
    chooseBank: 'Choisissez la banque avec laquelle vous payez.',
    noBanks: 'Les banques ne sont pas joignables en ce moment. Rien n’a été payé.',
    tryAgain: 'Réessayer',
  },
  es: {
    bank: 'Su banco',
    toBank: 'Continuar a mi banco',
    chooseBank: 'Elija el banco con el que paga.',
    noBanks: 'No se puede contactar con los bancos en este momento. No se ha pagado nada.',
    tryAgain: 'Intentar de nuevo',
  },
} as const
