/** A text as a fenced code block; the fence is longer than any run of backticks in it. */
export function fenced(title: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const heading = title.replace(/([\\`*_[\]<>#])/g, '\\$1');
  return `**${heading}**\n\n${fence}text\n${text.replace(/\n+$/, '')}\n${fence}\n`;
}
