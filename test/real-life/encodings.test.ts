import { describe, expect, it } from 'vitest';
import type { CodePage, EncodingName } from '../../shared/csv/dialect.ts';
import { encoderOf } from '../support/code-pages.ts';
import { tryFile } from './try-file.ts';

/** A file of people in a code page: first names and cities. */
const fileOf = (codePage: CodePage, people: readonly (readonly [string, string])[]): Buffer =>
  encoderOf(codePage).encode(
    `Email;First Name;City\r\n${people.map(([name, city], index) => `p${index}@example.org;${name};${city}\r\n`).join('')}`,
  );

describe('a code page that the definition names', () => {
  it.each<[EncodingName, CodePage, readonly (readonly [string, string])[]]>([
    [
      'windows-1251',
      'windows-1251',
      [
        ['Иван', 'Киев'],
        ['Ольга', 'Псков'],
        ['Юрий', 'Тверь'],
      ],
    ],
    ['cp1251', 'windows-1251', [['Игорь', 'Москва']]],
    ['koi8-r', 'koi8-r', [['Иван', 'Псков']]],
    [
      'windows-1250',
      'windows-1250',
      [
        ['Łukasz', 'Łódź'],
        ['Żaneta', 'Gdańsk'],
        ['Kasia', 'Poznań'],
      ],
    ],
    ['iso-8859-2', 'iso-8859-2', [['Zdeněk', 'Třebíč']]],
    ['windows-1254', 'windows-1254', [['Şule', 'Iğdır']]],
    ['macintosh', 'macintosh', [['Müller', 'Köln']]],
    [
      'sjis',
      'shift_jis',
      [
        ['花子', '東京'],
        ['表', 'ソウル'],
      ],
    ],
    ['gbk', 'gb18030', [['伟', '北京']]],
    ['big5', 'big5', [['美玲', '台北']]],
    ['euc-kr', 'euc-kr', [['민준', '서울']]],
  ])('reads names and cities: %s', async (encoding, codePage, expected) => {
    const { job, stored } = await tryFile(fileOf(codePage, expected), {
      change: { encoding, mapping_fields: mapping },
    });
    expect(job?.dialect?.encoding).toBe(codePage);
    expect(stored.map(({ fields }) => fields.first_name)).toEqual(expected.map(([name]) => name));
  });
});

const mapping = {
  required_fields: [],
  field_maps: [
    { sources: [{ type: 'source_field' as const, name: 'Email' }], target_field: 'email' },
    { sources: [{ type: 'source_field' as const, name: 'First Name' }], target_field: 'first_name' },
  ],
};
