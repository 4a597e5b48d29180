/** Names of devices. */

/** The last part of a device's whole name: "GPU:0"; empty for a name that leaves parts open. */
export const shortDevice = (device: string): string =>
  /\/task:\d+\/device:(\w+:\d+)$/.exec(device)?.[1] ?? "";
