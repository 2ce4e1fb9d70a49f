const WIDTH = 116;

/** Text in lines, each but the first indented. Code in backticks is never broken. */
export const wrapped = (text: string): string => {
  const lines = [''];
  for (const word of text.match(/`[^`]*`\S*|\S+/g) ?? []) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (`${line} ${word}`.length + 2 > WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join('\n  ');
};
