import { describe, expect, it } from 'vitest';
import type { CodePage } from '../../shared/csv/dialect.ts';
import { peopleIn, peopleMapping, placesOf } from './people-in.ts';
import { importHarness } from '../imports/import-harness.ts';
import { inspectFile, tryFile } from './try-file.ts';

const foreign: readonly (readonly [CodePage, readonly (readonly [string, string])[]])[] = [
  [
    'windows-1251',
    [
      ['Иван', 'Киев'],
      ['Ольга', 'Псков'],
      ['Юрий', 'Тверь'],
    ],
  ],
  [
    'windows-1251',
    [
      ['Ірина', 'Київ'],
      ['Сергій', 'Львів'],
      ['Олена', 'Харків'],
    ],
  ],
  [
    'koi8-r',
    [
      ['Екатерина', 'Москва'],
      ['Дмитрий', 'Самара'],
      ['Анна', 'Томск'],
    ],
  ],
  [
    'ibm866',
    [
      ['Наталья', 'Казань'],
      ['Сергей', 'Пермь'],
      ['Мария', 'Омск'],
    ],
  ],
  [
    'windows-1250',
    [
      ['Łukasz', 'Łódź'],
      ['Żaneta', 'Gdańsk'],
      ['Kasia', 'Poznań'],
    ],
  ],
  [
    'windows-1250',
    [
      ['Zdeněk', 'Třebíč'],
      ['Jiří', 'Plzeň'],
      ['Růžena', 'Děčín'],
    ],
  ],
  [
    'windows-1250',
    [
      ['Győző', 'Győr'],
      ['Erzsébet', 'Hódmezővásárhely'],
      ['Szűcs', 'Fő út'],
    ],
  ],
  [
    'windows-1254',
    [
      ['Şule', 'Iğdır'],
      ['Yıldız', 'Muğla'],
      ['Işıl', 'Kırşehir'],
    ],
  ],
  [
    'windows-1257',
    [
      ['Jānis', 'Rīga'],
      ['Kristīne', 'Liepāja'],
      ['Ģirts', 'Cēsis'],
    ],
  ],
  [
    'windows-1253',
    [
      ['Γιώργος', 'Αθήνα'],
      ['Ελένη', 'Πάτρα'],
      ['Μαρία', 'Βόλος'],
    ],
  ],
  [
    'windows-1255',
    [
      ['משה', 'ירושלים'],
      ['דוד', 'חיפה'],
      ['שרה', 'תל אביב'],
    ],
  ],
  [
    'windows-1256',
    [
      ['محمد', 'القاهرة'],
      ['فاطمة', 'الرياض'],
      ['علي', 'بغداد'],
    ],
  ],
  [
    'windows-874',
    [
      ['สมชาย', 'กรุงเทพ'],
      ['สุดา', 'เชียงใหม่'],
      ['วิชัย', 'ขอนแก่น'],
    ],
  ],
  [
    'macintosh',
    [
      ['Käthe', 'Köln'],
      ['Jürgen', 'Lübeck'],
      ['René', 'Genève'],
    ],
  ],
  [
    'ibm850',
    [
      ['Søren', 'Århus'],
      ['Kjær', 'Næstved'],
      ['Jørgen', 'Rødovre'],
    ],
  ],
  [
    'ibm850',
    [
      ['Jürgen', 'Düsseldorf'],
      ['Käthe Groß', 'Köln'],
      ['Änne', 'Gütersloh'],
    ],
  ],
  [
    'ibm850',
    [
      ['José Muñoz', 'Málaga'],
      ['Iñaki', 'Cádiz'],
      ['Begoña', 'San Íñigo'],
    ],
  ],
  [
    'ibm852',
    [
      ['Győző', 'Győr'],
      ['Erzsébet', 'Hódmezővásárhely'],
      ['Szűcs', 'Fő út'],
    ],
  ],
  [
    'ibm852',
    [
      ['Łukasz', 'Łódź'],
      ['Żaneta', 'Gdańsk'],
      ['Wałęsa', 'Święty Krzyż'],
    ],
  ],
  [
    'ibm852',
    [
      ['Zdeněk', 'Třebíč'],
      ['Jiří', 'Plzeň'],
      ['Růžena', 'Děčín'],
    ],
  ],
  [
    'shift_jis',
    [
      ['田中', '東京都'],
      ['さくら', '大阪市'],
      ['鈴木', '横浜市'],
    ],
  ],
  [
    'euc-jp',
    [
      ['山本', '京都市'],
      ['ゆうこ', '神戸市'],
      ['高橋', '名古屋市'],
    ],
  ],
  [
    'gb18030',
    [
      ['王伟', '北京市'],
      ['李娜', '上海市'],
      ['张敏', '广州市'],
    ],
  ],
  [
    'big5',
    [
      ['陳美玲', '台北市'],
      ['林志明', '高雄市'],
      ['黃雅婷', '新竹縣'],
    ],
  ],
  [
    'euc-kr',
    [
      ['김민준', '서울시'],
      ['이서연', '부산시'],
      ['박지우', '대구시'],
    ],
  ],
];

describe('text of another code page under auto', () => {
  it.each(foreign)('is read right if its letters prove it: %s', async (codePage, people) => {
    const { job, stored } = await tryFile(peopleIn(codePage, people));
    expect(job?.failure ?? null).toBeNull();
    expect(job?.dialect?.encoding).toBe(codePage);
    expect(placesOf(stored)).toEqual(people);
  });

  it.each(foreign)('is right or said if there is one word of it: %s', async (codePage, people) => {
    for (const [name] of people) {
      const { doubts, inspected, job, stored } = await tryFile(peopleIn(codePage, [[name, 'Berlin']]));
      if (inspected.failure) continue;
      const isRight = stored[0]?.fields.first_name === name;
      const isSaid =
        doubts.some(({ column }) => column === null) &&
        job?.warnings.some(({ code }) => code === 'uncertain_encoding');
      expect(isRight || isSaid, `${name} is ${String(stored[0]?.fields.first_name)}`).toBe(true);
    }
  });

  it.each(['\xf5\xa4\xb9x\xbc\xbdY\xb3', '\xacx\xa4\xa6Q\xf7\xd7k\xa4', 'B\xb2\xb3Y\xd7Z\xb9\xf7w'])(
    'fails without a recommendation when no code page gives words: %j',
    async (word) => {
      const file = Buffer.from(`Email;First Name\np@example.org;${word}\n`, 'latin1');
      const { failure } = await inspectFile(file);
      expect(failure?.code).toBe('wrong_encoding');
      expect(failure?.message).toMatch(/^No code page that the service knows gives words\. Byte 0x/);
      expect(failure?.message).toMatch(/A word of the file is .* Save the file as UTF-8 in the program/);
      expect(failure?.message).not.toMatch(/iconv|people\.csv/);
      const harness = importHarness();
      const form = { delimiter: 'semicolon' as const, encoding: 'utf-8' as const };
      const { id } = await harness.define({ name: 'named', ...form, mapping_fields: peopleMapping });
      const job = await harness.runFile(id, file, 'people.csv');
      const { errors } = await harness.readErrors(id, job.id);
      expect(errors.map(({ message }) => message).join()).toMatch(/^First Name: Byte 0x.. is not UTF-8\.$/);
    },
  );

  it.each([
    ['Kőszegi', /"Kőszegi" in iso-8859-2.* right: windows-1257 or windows-1250 or iso-8859-2\. Or save/],
    [
      'Paweł',
      /is "Paweł" in windows-1250\. If .* `encoding` to windows-1250, .*iconv -f WINDOWS-1250 -t UTF-8 FILE/,
    ],
  ])('fails with the code pages that give words, and recommends no other: %s', async (name, message) => {
    const { failure } = await inspectFile(peopleIn('windows-1250', [[name, 'Berlin']]));
    expect(failure?.message).toMatch(/^The letters do not prove the encoding of the file\. Byte 0x/);
    expect(failure?.message).toMatch(message);
    expect(failure?.message).not.toMatch(/1252|macintosh|people\.csv/);
  });

  it('is found by the few foreign names of a German file', async () => {
    const people = [
      ...Array.from({ length: 200 }, (_, index) => [`Jürgen${'abcdefgh'[index % 8]}`, 'Köln'] as const),
      ...(['Łukasz', 'Paweł', 'Wałęsa', 'Zając'] as const).map((name) => [name, 'Łódź'] as const),
    ];
    const { job, stored } = await tryFile(peopleIn('windows-1250', people));
    expect(job?.dialect?.encoding).toBe('windows-1250');
    expect(stored.at(-1)?.fields.first_name).toBe('Zając');
  });

  it('warns if the definition names another code page than the letters prove', async () => {
    const file = peopleIn('windows-1251', [
      ['Иван', 'Киев'],
      ['Ольга', 'Псков'],
      ['Юрий', 'Тверь'],
    ]);
    const { job } = await tryFile(file, {
      change: { encoding: 'windows-1252', mapping_fields: peopleMapping },
    });
    expect(job?.warnings).toMatchObject([{ code: 'uncertain_encoding' }]);
    expect(job?.warnings[0]?.message).toMatch(/in windows-1252 and .* in windows-1251/);
  });

  it('names the code page and the command in the refusal of a row', async () => {
    const file = peopleIn('shift_jis', [['田中', '東京都']]);
    const { errors } = await tryFile(file, { change: { encoding: 'utf-8', mapping_fields: peopleMapping } });
    expect(errors[0]?.message).toMatch(/look like shift_jis\..*iconv -f SHIFT_JIS -t UTF-8/);
  });
});
