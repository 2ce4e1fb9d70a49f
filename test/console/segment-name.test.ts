import { expect, it } from 'vitest';
import { nameOf } from '../../console/src/segment-name.ts';
import { texts as de } from '../../console/src/texts/de.ts';
import { en } from '../../console/src/texts/en.ts';

it.each([
  ['demographic', 'Age: 35-44', 'Age: 35-44', 'Alter: 35-44'],
  ['demographic', 'Has children: Yes', 'Children: Yes', 'Kinder: Ja'],
  ['demographic', 'Education level: A level: other', 'Education: A level: other', 'Bildung: A level: other'],
  ['demographic', 'Shoe size: 42', 'Shoe size: 42', 'Shoe size: 42'],
  ['tag', 'Age: 35-44', 'Age: 35-44', 'Age: 35-44'],
  ['location', 'Köln, DE', 'Köln, Germany', 'Köln, Deutschland'],
  ['consent', 'email: given', 'E-mail: given', 'E-Mail: erteilt'],
  ['everyone', 'everyone', en.segments.everyone, de.segments.everyone],
])(
  'a segment of the type %s with the name "%s" is called "%s", in German "%s"',
  (type, name, english, german) => {
    expect([nameOf({ name, type }, en), nameOf({ name, type }, de)]).toEqual([english, german]);
  },
);
