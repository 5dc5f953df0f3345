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
    why: 'A shop id has at most 63 characters: lower-case letters, digits, - and _.',
    remedy: 'Choose an id such as bikes-nl. Nothing was changed.',
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
    why: 'The list of hosts would be empty, and every payment of the shop refused.',
    remedy: 'Name its hosts: `purveyor shop hosts confirm <shop> <host...>`. Nothing was changed.',
  },
  PAYMENT_UNDER_WAY: {
    why: 'A payment is still open: money may still arrive.',
    remedy: 'Wait until it ends, or add --force: its outcome is then lost.',
  },
  NO_CREDENTIALS: {
    why: "The credentials for the API of the shop's platform are not set.",
    remedy: 'Run `purveyor shop connect <shop>` with key and secret in the environment.',
  },
  SHOP_TWICE: {
    why: 'Two lines have the same shop id.',
    remedy: 'Remove one line, or change its id.',
  },
} satisfies Record<string, CodeText>

/** Failures at the API of a platform, by their remedy. */
export const platformCodes = {
  PLATFORM_UNAUTHORIZED: {
    why: 'The platform rejects this key and secret: they are wrong, withdrawn, or belong to another shop.',
    remedy: 'Copy both from this shop, and store them with `purveyor shop connect <shop>`.',
  },
  PLATFORM_FORBIDDEN: {
    why: 'The key has no permission for this call.',
    remedy: 'Ask the merchant to give the key this permission.',
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
    why: 'The platform accepts no more calls at the moment.',
    remedy: 'Try again at `retryAt`. The client waits by itself, but no longer than `patience`.',
  },
  PLATFORM_UNAVAILABLE: {
    why: 'The platform cannot be reached, or it failed.',
    remedy: 'Try again later. The client has already repeated what is safe to repeat.',
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
    why: 'A POST was sent and its answer was lost: it may or may not have taken effect.',
    remedy: 'Check the current records before you send it again.',
  },
} satisfies Record<string, CodeText>

export const callbackCodes = {
  CALLBACK_PARAMETER_DOUBLED: {
    why: 'A parameter appears twice, so it is unclear which value was signed.',
    remedy: 'Nothing to do: the platform never sends this.',
  },
  CALLBACK_PARAMETER_MISSING: {
    why: 'A signed parameter is missing.',
    remedy: 'Check that the whole query string reaches the route.',
  },
  CALLBACK_SIGNATURE_WRONG: {
    why: "The signature is not the platform's.",
    remedy: 'Check the secret of the app, and the verifier.',
  },
  CALLBACK_BODY_UNREADABLE: {
    why: 'A resource event of the platform has the wrong form.',
    remedy: 'Subscribe with the format json, and pass the body on as it was received.',
  },
  CALLBACK_TIMESTAMP_INVALID: {
    why: 'The timestamp is not a valid time.',
    remedy: 'Nothing to do: the platform never sends this.',
  },
  CALLBACK_TOO_OLD: {
    why: 'The callback is too old, or dated in the future.',
    remedy: 'Check the clock of this machine; open the charge again from the shop.',
  },
  CALLBACK_REPEATED: {
    why: 'This callback was accepted before.',
    remedy: 'Nothing to do: the charge was already read then.',
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
    why: 'No payment has this order, attempt or reference.',
    remedy:
      'Check the id and the shop: `purveyor payments list` shows all payments. A payment exists once POST /payment was answered.',
  },
  MONEY_UNAVAILABLE: {
    why: 'The refund or capture is not possible: the payment adapter has no function for it, or the attempt has less money left.',
    remedy:
      'Run `purveyor payments show` to see what was received, refunded and authorised. Add `refund` or `capture` to the adapter, or move the money at the payment service: its push or status reports it.',
  },
  MONEY_UNKNOWN: {
    why: 'The outcome of a refund or capture is unknown: the call of the payment service failed or took too long.',
    remedy:
      'Repeat it with the same amount, or with `--key` and the key in the message: the payment service gets the same key, so the money moves once. If the message says that the service has forgotten the key, look it up there first.',
  },
  SETTINGS_INVALID: {
    why: 'The settings of the shop do not fit its adapters.',
    remedy: 'Correct the paths that the message names.',
  },
  SETTINGS_MISSING: {
    why: 'The shop lacks settings or units that an adapter needs.',
    remedy:
      'Set them with `purveyor shop settings <shop> --file ...`; units for all shops are `rates.units`.',
  },
  CONFIGURATION_INVALID: {
    why: 'One or more settings of the provider are missing or wrong.',
    remedy: 'Correct each setting that the message names.',
  },
  PACKAGE_INCOMPLETE: {
    why: 'Files of the package `purveyor` are missing. A bundler takes the code and leaves them behind.',
    remedy:
      'Leave `purveyor` out of the bundle, such as with `rolldown --external purveyor`, and install it. Without a bundle, install it again.',
  },
  STORE_UNAVAILABLE: {
    why: 'The store cannot be opened, locked or written.',
    remedy:
      'The message names the cause. For a file, check its folder, its disk and which other process uses it. For a PostgreSQL server, check that it runs, its address, its rights and its encryption. If a sealed text does not open, set the PURVEYOR_SECRET that the store was created with, or restore a backup: `purveyor docs backup` has the steps.',
    onCall: [
      'Run `purveyor doctor`: it runs every check that needs no store, and names the code of the failure and the free space of the disk.',
      'The disk is full (SQLITE_FULL, SQLITE_IOERR_SHMSIZE, ENOSPC): free some space. Running nodes go on within a second, and nothing is lost.',
      'A server does not answer: try it with `psql`, and check its disk, its connections (`max_connections`) and its log. Nodes reconnect by themselves.',
      'Only one order is affected: run `purveyor explain ROW_LOCKED`. A sealed text does not open: run `purveyor nodes list`, and give every node the same PURVEYOR_SECRET.',
      'Do not restart or deploy nodes before the store takes writes: a node needs it to start, while a running node answers rates for an hour.',
      'Afterwards run `purveyor lanes list` and `purveyor payments anomalies`. Waiting calls are made by themselves; starts with an unknown outcome are listed.',
    ],
  },
  STORE_MOVED: {
    why: 'No provider may serve this store: `purveyor db copy` moved it to another one, or it is a copy that is not served yet or was given up. So two stores never send the same webhook. Its tables refuse writes; commands that only read still work.',
    remedy:
      'Set PURVEYOR_DATABASE_URL to the store that the message names. To serve this store again, run `purveyor db release`: `purveyor docs move-store` has the steps.',
    onCall: [
      'Do not remove the mark by hand. The message names the store that took over; `purveyor nodes list` shows whether nodes run there.',
      'If they do, this node has an old PURVEYOR_DATABASE_URL: correct it and start the node.',
      'If none does and you want to undo the move, run `purveyor db release --from ... --to ...`. It refuses if the copy was served, because its payments would be lost: then copy back.',
    ],
  },
  COPY_REFUSED: {
    why: 'A store cannot be copied or released: the target is not empty, nodes still run, or a version, secret or row does not fit. The step that failed wrote nothing.',
    remedy: 'Correct what the message names, and run the command again.',
  },
  COPY_UNEQUAL: {
    why: 'After the copy the two stores differ: another program changed the tables of the target. The copy was undone.',
    remedy:
      'The source is unchanged and may be served. Name another empty database, or find out what changed the target, and copy again.',
  },
  AUTHOR_INVALID: {
    why: 'The name in `by` is empty, longer than 200 characters, or has control characters.',
    remedy:
      'Give the name of the person or job that makes the change, such as `by: user.email`. Nothing was changed.',
  },
  SHOPS_INVALID: {
    why: 'The import has faults, so no shop was added.',
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
    remedy: 'Name a new file in a folder that this user may write to.',
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
    why: 'A function was called with an invalid argument.',
    remedy: 'Correct the argument that the message names.',
  },
  USAGE_WRONG: {
    why: 'A command was called with an invalid argument, or in a place where it cannot run.',
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
    why: 'A function of an adapter returned an invalid value.',
    remedy: 'Correct the adapter: the message names the function and what it may return.',
  },
  CARRIER_FAILED: {
    why: 'The service behind this rate adapter failed, or did not answer with rates.',
    remedy: 'Ask the carrier. If it answered, `status` is the HTTP status.',
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
    why: 'The secret is being changed, and some running nodes do not have the new one yet. The previous one is used until they do, so no call fails.',
    remedy:
      'Give every node the new PURVEYOR_SECRET, and the old one as PURVEYOR_PREVIOUS_SECRET. A dead node stops counting after a minute. `purveyor doctor` shows how many nodes are left.',
  },
  SECRET_CHANGED: {
    why: 'Everything in the store is sealed with the new secret.',
    remedy: 'Remove PURVEYOR_PREVIOUS_SECRET from every node when it suits you.',
  },
  PUSH_UNMATCHED: {
    why: 'A payment service sent a push about an unknown payment: no attempt of the shop has the reference or id that the push names. The push was answered and changed nothing. The metric `purveyor_pushes_total` counts it as `unmatched`.',
    remedy:
      'Run `purveyor pushes list --outcome unmatched` to see what each push names, and look it up at the payment service. If it is a test payment, or one of another system on the same account, there is nothing to do; `read` of the adapter may return `{ ignored: why }` for it. If it is a payment of this shop, find its order with `purveyor payments find <order>`, and compare the reference that `payments show` prints with the one in the push. A push that came before the start stored its reference is read again for three days. If money has come for an order, record it with `purveyor payments report <order> paid`.',
  },
  PUSH_GIVEN_UP: {
    why: 'Purveyor tried to process a push for three days, then gave it up and erased its body. The payment service did not answer, or the adapter cannot read the push. For a resource event, its handler in `resourceEvents` kept throwing.',
    remedy:
      'Run `purveyor pushes list --outcome given_up` for the reason. Correct the adapter or the handler, or the keys of the shop, and repeat the push at the payment service. Background checks still ask for the status of open payments.',
  },
  WORKER_DIED: {
    why: 'A worker of `serve --workers` ended by itself or was killed. Another one replaces it and takes over its work within 30 s.',
    remedy:
      'Read its last log lines: `PROCESS_CRASHED` says where its code failed. Signal SIGKILL without such a line is usually the memory limit: allow more memory, or run fewer workers.',
  },
  WORKER_NOT_READY: {
    why: 'A worker was not ready within a minute of its start, so it was ended.',
    remedy:
      'Check whether the database answers (`purveyor doctor`) and whether the `prepare` of an adapter hangs.',
  },
  WORKER_RESTART_FAILED: {
    why: 'After SIGHUP a new worker could not start. The old workers continue with the old code.',
    remedy: 'Read the log of the new worker above this line, correct what it names, and send SIGHUP again.',
  },
  PROCESS_CRASHED: {
    why: 'An error that no code catches ended the process, most often one in an adapter.',
    remedy:
      'Find the place in `err.stack`, and catch the error there. Another process takes over its work within 30 s.',
  },
  CARRIER_DOWN: {
    why: 'A rate adapter failed five times in a row, for three shops or more. It is skipped for all shops, except for one trial call every ten seconds. The other adapters still answer.',
    remedy:
      'Run `purveyor lanes list --kind rates` for its last failure and the next try, and ask the carrier. It is used again once a call succeeds; `purveyor lanes open rates @all <adapter>` tries it at once. If only some shops fail, check their keys.',
  },
  STORE_DAMAGED: {
    why: 'A page of the SQLite file cannot be read, usually because of a failing disk or a file that was copied while in use. Orders and lanes on it are blocked; all others continue.',
    remedy:
      'Copy the file and its `-wal` to a safe place, and check the disk. Then stop the provider and restore a backup (`purveyor db backup`), or recover what can be read: `sqlite3 purveyor.db .recover | sqlite3 new.db`.',
  },
  WEBHOOK_NEVER_READ: {
    why: 'A shop accepted a webhook 30 days ago and never read the status after it, despite reminders for a week. `purveyor_webhooks_unread` no longer counts it.',
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
    why: 'The sandbox answers only programs on this machine and its own pages. Host, Origin or Sec-Fetch-Site names another site.',
    remedy:
      'Call it as http://127.0.0.1 or http://localhost with its port, and not from the page of another website.',
  },
} satisfies Record<string, CodeText>
