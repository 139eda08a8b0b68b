/** The first byte of each message of exec and attach over a WebSocket: the stream that it belongs to. */
export const commandChannels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

/** The protocols of these messages, the newest first; only the first one can close stdin. */
export const commandProtocols = ["v5.channel.k8s.io", "v4.channel.k8s.io"] as const;
