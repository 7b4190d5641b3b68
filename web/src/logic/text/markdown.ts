/** A text in Markdown as it is: in a fence that it does not contain. */
export function fenced(title: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const heading = title.replace(/([\\`*_[\]<>#])/g, '\\$1');
  return `**${heading}**\n\n${fence}text\n${text.replace(/\n+$/, '')}\n${fence}\n`;
}
