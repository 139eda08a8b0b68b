export * from "./issuer.js";
