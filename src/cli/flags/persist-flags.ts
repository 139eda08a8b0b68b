export const persistHelp = "folder that keeps the server's objects, authority and tokens between runs";
