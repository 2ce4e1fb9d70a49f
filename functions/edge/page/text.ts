/** Text of the page: escapes it, and renders the little Markdown that the sentences of the document use. */
import { escapeMarkup } from '../../../shared/runtime/markup.ts';

/** A sentence: escaped, with its `code` and **strong** parts. */
export const inline = (text: string): string =>
  escapeMarkup(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');

/** Paragraphs and lists of a description, with an empty line between two paragraphs. */
export const blocks = (text: string): string =>
  text
    .split(/\n\s*\n/)
    .filter((block) => block.trim() !== '')
    .map(block)
    .join('');

const block = (text: string): string => {
  const [lead = '', ...items] = text.split(/^(?:\d+\.|-) /m);
  const paragraph = lead.trim() === '' ? '' : `<p>${inline(lead.trim())}</p>`;
  return items.length === 0 ? paragraph : `${paragraph}<ol>${items.map(listItem).join('')}</ol>`;
};

const listItem = (text: string): string => `<li>${inline(text.trim())}</li>`;

/** A value as code. */
export const code = (text: string): string => `<code>${escapeMarkup(text)}</code>`;

/** A path, which may break before a slash and inside a long word, but nowhere else. */
export const address = (path: string): string =>
  `<code>${escapeMarkup(path).replaceAll(/(?<=.)\//g, '<wbr>/')}</code>`;

/** A part of a section. The script of the page folds it on a narrow screen; without the script it stays open. */
export const part = (title: string, html: string): string =>
  `<details class="part" open><summary>${title}</summary>${html}</details>`;
