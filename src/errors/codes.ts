/** The text of a code, as `purveyor explain` prints it. */
export interface CodeText {
  why: string
  /** The reader's next step. */
  remedy: string
  /** For the one on call: what to look at and what to do, in this order. */
  onCall?: readonly string[]
}

/** Refusals of `provider.shops` and of the commands about shops. */
export const shopCodes = {
  UNKNOWN_SHOP: {
    why: 'There is no shop with this id.',
    remedy: 'See `purveyor shop list`, and add one with `purveyor shop add`.',
  },
  SHOP_EXISTS: {
    why: 'A shop with this id exists already.',
    remedy: 'Choose another id, or change the existing shop.',
  },
  SHOP_ID_INVALID: {
    why: 'The id of a shop has lower-case letters, digits, - and _, at most 63.',
    remedy: 'Choose such an id, for example bikes-nl. Nothing was changed.',
  },
  PLATFORM_ID_INVALID: {
    why: 'The id of a shop at its platform is a whole number without leading zeros, at most 16 digits.',
    remedy: 'Look it up in the back office of the shop. Nothing was changed.',
  },
  HOST_NAME_INVALID: {
    why: 'This is not a public host name.',
    remedy: 'Name a host without scheme, port and path, such as shop.example.com.',
  },
  HOSTS_MISSING: {
    why: 'A closed list without a host would refuse every payment of the shop.',
    remedy: 'Name its hosts: `purveyor shop hosts confirm <shop> <host...>`. Nothing was changed.',
  },
  PAYMENT_UNDER_WAY: {
    why: 'A payment has not ended: money may still come.',
    remedy: 'Wait until it has ended, or add --force and lose its outcome.',
  },
  NO_CREDENTIALS: {
    why: "The credentials for the API of the shop's platform are not set.",
    remedy: 'Run `purveyor shop connect <shop>` with key and secret in the environment.',
  },
  SHOP_TWICE: {
    why: 'Two lines have the id of one shop.',
    remedy: 'Remove one of them, or give one another id.',
  },
} satisfies Record<string, CodeText>

/** Failures at the API of a platform, by their remedy. */
export const platformCodes = {
  PLATFORM_UNAUTHORIZED: {
    why: 'The platform rejects this key and secret: one is wrong, was withdrawn, or is of another shop.',
    remedy: 'Copy key and secret from this shop, and store them with `purveyor shop connect <shop>`.',
  },
  PLATFORM_FORBIDDEN: {
    why: 'The key has no permission for this.',
    remedy: 'Ask the merchant for the permission.',
  },
  PLATFORM_NOT_FOUND: {
    why: 'The platform has no such record, resource or language.',
    remedy: 'Check the name, the id and the language.',
  },
  PLATFORM_INVALID: {
    why: 'The platform rejects the data.',
    remedy: 'Correct the fields that its message names.',
  },
  PLATFORM_RATE_LIMITED: {
    why: 'The platform accepts no more calls for now.',
    remedy: 'Try again at `retryAt`. The client waits by itself up to its `patience`.',
  },
  PLATFORM_UNAVAILABLE: {
    why: 'The platform was not reached, or failed.',
    remedy: 'Try again later. Calls that may be repeated were repeated already.',
  },
  PLATFORM_NOT_CALLED: {
    why: 'The address of the platform is not https or not public, so nothing was sent.',
    remedy: 'Set `baseUrl` to the public https address of the API. `allowLoopback` is for development.',
  },
  PLATFORM_UNREADABLE: {
    why: 'The answer is not JSON, is incomplete, or has another shape.',
    remedy: 'Check that `baseUrl` is the address of the API.',
  },
  PLATFORM_REDIRECTED: {
    why: 'The platform redirects to another address, and credentials are never sent there.',
    remedy: 'Set `baseUrl` to the final address.',
  },
  PLATFORM_OUTCOME_UNKNOWN: {
    why: 'A POST was sent and its answer was lost: it is unknown whether it took effect.',
    remedy: 'Check the current records before you send it again.',
  },
} satisfies Record<string, CodeText>

export const callbackCodes = {
  CALLBACK_PARAMETER_DOUBLED: {
    why: 'A parameter appears twice: one could be signed and the other one used.',
    remedy: 'Nothing: the platform never sends this.',
  },
  CALLBACK_PARAMETER_MISSING: {
    why: 'A signed parameter is missing.',
    remedy: 'Check that the whole query reaches the route.',
  },
  CALLBACK_SIGNATURE_WRONG: {
    why: "The signature is not the platform's.",
    remedy: 'Check the secret of the app, and the verifier.',
  },
  CALLBACK_BODY_UNREADABLE: {
    why: 'A resource event of the platform is not in the form of one.',
    remedy: 'Subscribe with the format json, and pass the body on as it was received.',
  },
  CALLBACK_TIMESTAMP_INVALID: {
    why: 'The timestamp is not a valid time.',
    remedy: 'Nothing: the platform never sends this.',
  },
  CALLBACK_TOO_OLD: {
    why: 'The callback is older than the tolerance, or from the future.',
    remedy: 'Check the clock of this machine; open the charge again from the shop.',
  },
  CALLBACK_REPEATED: {
    why: 'This callback was accepted before.',
    remedy: 'Nothing: the charge was read at that time.',
  },
  CALLBACK_CLUSTER_UNKNOWN: {
    why: 'The cluster is not on the configured list.',
    remedy: 'If the cluster belongs to the platform, add it to `clusters`.',
  },
} satisfies Record<string, CodeText>

/**
 * The codes of errors that Purveyor throws, beside those of an answer (`contract/problems.ts`) and of a call that is not made
 * (`refusals.ts`).
 */
export const errorCodes = {
  UNKNOWN_PAYMENT: {
    why: 'There is no payment of this order, attempt or reference.',
    remedy:
      'Check which of the three is given, the shop, and that POST /payment was answered before; `purveyor payments list` shows them.',
  },
  MONEY_UNAVAILABLE: {
    why: 'A refund or a capture cannot be asked for: the payment adapter has no such function, or the attempt has less money left.',
    remedy:
      'See `purveyor payments show` for what was received, refunded and authorised. Give the adapter `refund` or `capture`, or do it at the payment service: its push or status reports it.',
  },
  MONEY_UNKNOWN: {
    why: 'A payment service was asked for a refund or a capture, and its outcome is unknown: the call failed or took too long.',
    remedy:
      'Repeat it with the same amount, or with `--key` and the key of the message: the payment service gets the same key, so that money moves once. If the message says that it has forgotten the key, look it up there first.',
  },
  SETTINGS_INVALID: {
    why: "The settings of the shop do not match the adapters' settings.",
    remedy: 'Correct the paths that the message names.',
  },
  SETTINGS_MISSING: {
    why: 'An adapter needs settings, or units, that the shop does not have.',
    remedy:
      'Set them with `purveyor shop settings <shop> --file ...`; units for all shops are `rates.units`.',
  },
  CONFIGURATION_INVALID: {
    why: 'One or more settings of the provider are missing or wrong.',
    remedy: 'Correct each setting that the message names.',
  },
  PACKAGE_INCOMPLETE: {
    why: 'Files of the package `purveyor` are not beside its code. A bundle takes the code and leaves them behind.',
    remedy:
      'Leave `purveyor` out of the bundle and install it, as with `rolldown --external purveyor`. If you do not bundle, install it again.',
  },
  STORE_UNAVAILABLE: {
    why: 'The store cannot be opened, locked or written.',
    remedy:
      'For a file, check its folder, its disk and which other process uses it. For a PostgreSQL server, check that it runs, its address, its rights and its encryption. If a sealed text does not open, set the PURVEYOR_SECRET that the store was created with, or restore a backup: `purveyor docs backup` has the steps. The message says which.',
    onCall: [
      'Run `purveyor doctor`: it runs every check that needs no store, and names the code of the failure and the free space of the disk.',
      'The disk is full (SQLITE_FULL, SQLITE_IOERR_SHMSIZE, ENOSPC): free some space. Running nodes go on within a second, and nothing is lost.',
      'A server is away: ask it with `psql`, and look at its disk, its connections (`max_connections`) and its log. Nodes connect again by themselves.',
      'One order alone is affected: run `purveyor explain ROW_LOCKED`. A sealed text does not open: run `purveyor nodes list`, and give every node the same PURVEYOR_SECRET.',
      'Do not restart or deploy nodes before the store takes writes: a node that starts needs the store, one that runs answers rates for an hour.',
      'Afterwards run `purveyor lanes list` and `purveyor payments anomalies`: calls that waited are made by themselves, starts in doubt are listed.',
    ],
  },
  STORE_MOVED: {
    why: 'No provider may serve this store: `purveyor db copy` has moved it to another one, or it is a copy that is not served. So no webhook is sent from two stores. Its tables refuse writes; reading commands go on.',
    remedy:
      'Set PURVEYOR_DATABASE_URL to the store that the message names. To serve this store again, run `purveyor db release`: `purveyor docs move-store` has the steps.',
    onCall: [
      'Do not remove the mark by hand: read in the message which store took over, and look with `purveyor nodes list` whether nodes run there.',
      'If they do, this node has an old PURVEYOR_DATABASE_URL: correct it and start the node.',
      'If none does and the move is to be taken back, run `purveyor db release --from ... --to ...`. It refuses if the copy was served, because its payments would be lost: then copy back.',
    ],
  },
  COPY_REFUSED: {
    why: 'A store cannot be copied, or released, as it was asked for: the target is not empty, nodes still run, a version, a secret or a row does not fit. Nothing was written by the step that failed.',
    remedy: 'Correct what the message names, and run the command again.',
  },
  COPY_UNEQUAL: {
    why: 'At the end of a copy the two stores were compared, and they differ: the tables of the target were changed below Purveyor. Nothing of the copy is left.',
    remedy:
      'The source is as it was, and may be served. Name another empty database, or find out who changed the target, and copy again.',
  },
  AUTHOR_INVALID: {
    why: 'The name given in `by` is empty, longer than 200 characters, or has control characters in it.',
    remedy:
      'Give the name of the person or job that makes the change, such as `by: user.email`. Nothing was changed.',
  },
  SHOPS_INVALID: {
    why: 'Shops in one import have faults, and none was added.',
    remedy:
      'Correct each fault that the message names, and try again: `purveyor shop import --dry-run` only checks.',
  },
  RATE_TABLE_INVALID: {
    why: 'A tariff has faults.',
    remedy: 'Correct the lines that the message names; `purveyor rates lint` shows them all.',
  },
  PICKUP_POINTS_INVALID: {
    why: 'A file of pickup points has faults.',
    remedy: 'Correct the lines that the message names.',
  },
  PRODUCT_FACTS_INVALID: {
    why: 'A file of product facts has faults.',
    remedy: 'Correct the lines that the message names.',
  },
  ENDPOINT_UNUSABLE: {
    why: 'No provider answers at this address.',
    remedy: 'Use the urlEndpoint that is registered with the shop.',
  },
  SANDBOX_FILE_UNUSABLE: {
    why: 'The sandbox cannot use this file as its store.',
    remedy: 'Name a new one, in a folder that this user may write to.',
  },
  RECORDING_UNUSABLE: {
    why: 'The folder holds no recorded calls.',
    remedy: 'Make a recording with --record.',
  },
  SEED_UNUSABLE: {
    why: 'A file with the initial records of the sandbox cannot be read.',
    remedy: 'Name a file such as products.json with a list of records, or a folder of such files.',
  },
  ARGUMENT_INVALID: {
    why: 'A function was called with something that it does not take.',
    remedy: 'Correct the argument that the message names.',
  },
  USAGE_WRONG: {
    why: 'A command was called with an argument or in a place that it does not take.',
    remedy: 'Correct what the message names; `--help` of the command lists its arguments and options.',
  },
  ENVIRONMENT_UNFIT: {
    why: 'This machine cannot do what the command needs, such as open a port.',
    remedy: 'Correct what the message names, and run the command again.',
  },
  METRICS_OFF: {
    why: 'The provider keeps no metrics: it is not started, or production has no `http.metricsToken`.',
    remedy: 'Start the provider first, and set PURVEYOR_METRICS_TOKEN.',
  },
  ADAPTER_ANSWER_INVALID: {
    why: 'A function of an adapter returned something that it must not return.',
    remedy: 'Correct the adapter: the message names it and the forms of an answer.',
  },
  CARRIER_FAILED: {
    why: 'The service behind this rate adapter failed, or did not answer with rates.',
    remedy: 'Ask the carrier. Its `status` is the HTTP status, where there was an answer.',
  },
  PAGE_BUTTON_MISSING: {
    why: 'The payment page has no button or link with this name.',
    remedy: 'Choose one of the buttons and links that the page shows.',
  },
  PAGE_UNREACHABLE: {
    why: 'The payment page does not open.',
    remedy: 'Start the server of the page. Check the payment_url that the provider answered.',
  },
  ...shopCodes,
  ...platformCodes,
  ...callbackCodes,
} satisfies Record<string, CodeText>

/** Codes of log lines that are not errors of a caller. */
export const logCodes = {
  SECRET_WAITS: {
    why: 'The secret is being changed, and some running nodes cannot open texts of the new one yet. Nothing is sealed with it before they can, so that no call fails.',
    remedy:
      'Give every node the new PURVEYOR_SECRET, and the old one as PURVEYOR_PREVIOUS_SECRET. A node that has died no longer counts after a minute. `purveyor doctor` shows how many are left.',
  },
  SECRET_CHANGED: {
    why: 'Everything in the store is sealed with the new secret.',
    remedy: 'Remove PURVEYOR_PREVIOUS_SECRET from every node when it suits you.',
  },
  PUSH_UNMATCHED: {
    why: 'A payment service pushed about a payment that the shop of this address does not have: no attempt has the reference or id that the push names. It was answered, and changed nothing. The metric `purveyor_pushes_total` counts it as `unmatched`.',
    remedy:
      'Run `purveyor pushes list --outcome unmatched` for what each push names, and look that up at the payment service. A test payment, or a payment of another system on the same account: nothing to do; `read` of the adapter may return `{ ignored: why }` for it. A payment of this shop: find its order with `purveyor payments find <order>`, and compare the reference that `payments show` prints with the one in the push. A push that came before its start stored the reference is read again by itself, for three days. If money has come for an order, `purveyor payments report <order> paid` notes it by hand.',
  },
  PUSH_GIVEN_UP: {
    why: 'Purveyor tried to process a push for three days, then gave it up and erased its body. The payment service did not answer, or the adapter cannot read the push. Of a resource event, its handler in `resourceEvents` kept throwing.',
    remedy:
      'Run `purveyor pushes list --outcome given_up` for the reason. Correct the adapter or the handler, or the keys of the shop, and repeat the push at the payment service. Open payments are asked for by the background checks all the same.',
  },
  WORKER_DIED: {
    why: 'A worker of `serve --workers` ended by itself or was killed. Another one replaces it and takes over its work within 30 s.',
    remedy:
      'Read its last lines: `PROCESS_CRASHED` says where its code failed. Signal SIGKILL without a line is usually the memory limit: give it more, or fewer workers.',
  },
  WORKER_NOT_READY: {
    why: 'A worker was not ready within a minute of its start, so it was ended.',
    remedy:
      'Check whether the database answers (`purveyor doctor`) and whether the `prepare` of an adapter hangs.',
  },
  WORKER_RESTART_FAILED: {
    why: 'SIGHUP found that a new worker cannot start. The old workers continue with the old code.',
    remedy: 'Read the lines of the new worker above this one, correct what they name, and send SIGHUP again.',
  },
  PROCESS_CRASHED: {
    why: 'An error that no code catches ended the process, most often one in an adapter.',
    remedy:
      'Find the place in `err.stack`, and catch the error there. Another process takes over its work within 30 s.',
  },
  CARRIER_DOWN: {
    why: 'A rate adapter failed five times in a row, for three shops or more. It is skipped for all shops, except for one call every ten seconds that tries it. The other adapters answer meanwhile.',
    remedy:
      'Run `purveyor lanes list --kind rates` for its last failure and the next try, and ask the carrier. It is used again once a call succeeds; `purveyor lanes open rates @all <adapter>` tries it at once. If only some shops fail, look at their keys.',
  },
  STORE_DAMAGED: {
    why: 'A page of the SQLite file cannot be read, usually because of a failing disk or a file that was copied while in use. Orders and lanes on it are blocked; all others continue.',
    remedy:
      'Copy the file and its `-wal` to a safe place, and check the disk. Then stop the provider and restore a backup (`purveyor db backup`), or recover what can be read: `sqlite3 purveyor.db .recover | sqlite3 new.db`.',
  },
  WEBHOOK_NEVER_READ: {
    why: 'A shop accepted a webhook 30 days ago and has never read the status after it, although it was called again for a week. `purveyor_webhooks_unread` no longer counts it.',
    remedy:
      'Run `purveyor payments show <order> --shop <shop>`, and ask the shop for the status of the order there. A platform that never reads the status after a webhook leaves its orders unpaid.',
  },
  RATES_WITHOUT_STORE: {
    why: 'The database does not answer. Rates are still answered for shops that this process looked up within the last hour; payments are answered 503.',
    remedy:
      'Restore the database: `purveyor doctor` names the fault. After an hour, and after a restart, there are no rates without it.',
  },
} satisfies Record<string, CodeText>

/** Codes of the sandbox's refusals. */
export const sandboxCodes = {
  SANDBOX_CALLER_REFUSED: {
    why: 'The sandbox answers programs on this machine and its own pages. Host, Origin or Sec-Fetch-Site name another site.',
    remedy:
      'Call it as http://127.0.0.1 or http://localhost with its port, and not from the page of another website.',
  },
} satisfies Record<string, CodeText>
