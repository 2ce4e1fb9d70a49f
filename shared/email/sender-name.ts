/** The name of a sender, as a header of a mail takes it. */
import { shortened } from '../runtime/shortened.ts';
import { visibleLine } from '../runtime/visible-text.ts';

/** The most characters of a name that a header gets. */
const MOST = 60;

/** Words that need no encoding: no sign among them has a meaning in a header. */
const plain = /^[\w -]+$/;

/** Bytes of a text in an encoded word, which has 75 characters at most (RFC 2047). */
const WORD_BYTES = 45;

/** The sender `name <address>`; other letters and signs are in encoded words, each with whole characters. */
export const senderOfName = (name: string, address: string): string => {
  const shown = shortened(visibleLine(name.replaceAll(/\p{Cc}/gu, ' ')), MOST);
  if (shown === '') return address;
  return `${plain.test(shown) ? shown : encoded(shown)} <${address}>`;
};

const encoded = (text: string): string => {
  const words = [''];
  for (const character of text) {
    const last = words.at(-1) ?? '';
    if (Buffer.byteLength(last + character) > WORD_BYTES) words.push(character);
    else words[words.length - 1] = last + character;
  }
  return words.map((word) => `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
};
