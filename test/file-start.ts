/** The start of the file of tests that runs, in milliseconds. A module is loaded once for all files of a process, so its own time may be minutes old. */
export let fileStart = Date.now()

export function startFile(): void {
  fileStart = Date.now()
}
