import type { ServerResponse } from "node:http";

/** Answers with a text that no browser takes for anything else, as Go's servers do. */
export function plainText(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" });
  response.end(text);
}

export function pageNotFound(response: ServerResponse): void {
  plainText(response, 404, "404 page not found\n");
}
