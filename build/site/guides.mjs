// A plugin of typedoc: guides have the titles that they begin with, and each export links to the guides that use it.
import { CommentTag, Converter, ReflectionKind } from "typedoc";

const guides = /\/docs\/[\w-]+\.md$/;

export function load(app) {
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, document) => {
    const title = /^\s*# (.+)$/m.exec(textOf(document))?.[1];
    if (title) document.name = title;
  });
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    const pages = project.documents.filter((document) => guides.test(project.files.getReflectionPath(document) ?? ""));
    for (const module of project.getChildrenByKind(ReflectionKind.Module))
      for (const reflection of module.children ?? []) addLinks(reflection, pages);
  });
}

function textOf({ content }) {
  return content.map(({ text }) => text).join("");
}

/** Links an export to the guides that name it as code: `name`, or name(…). */
function addLinks(reflection, pages) {
  const comments = [reflection, ...(reflection.signatures ?? [])].flatMap(({ comment }) => comment ?? []);
  const isNamed = new RegExp(`\`${reflection.name}\\b|\\b${reflection.name}[(<]`);
  const links = pages
    .filter((document) => isNamed.test(textOf(document)))
    .map((target) => ({ kind: "inline-tag", tag: "@link", text: target.name, target }));
  const separated = links.flatMap((link, index) => (index === 0 ? [link] : [{ kind: "text", text: ", " }, link]));
  if (links.length > 0) for (const { blockTags } of comments) blockTags.push(new CommentTag("@see", separated));
}
