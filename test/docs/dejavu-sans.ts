/**
 * Widths of characters in DejaVu Sans, in thousandths of the font size: a usual sans-serif font of Linux, and a wide one.
 * Each line has the characters of one width. Source: the `hmtx` tables of DejaVu 2.37.
 */
const regular = {
  275: "'",
  278: 'ijl',
  295: 'IJ',
  318: ' ,.·',
  337: '/:;\\|',
  352: 'f',
  361: '-',
  390: '()[]',
  392: 't',
  401: '!⁹',
  411: 'r',
  460: '"',
  500: '*_`–',
  521: 's',
  525: 'z',
  531: '?',
  550: 'c',
  557: 'L',
  575: 'F',
  579: 'k',
  592: 'vxy',
  603: 'P',
  611: 'TY',
  612: 'o',
  613: 'a',
  615: 'e',
  632: 'E',
  634: 'hnu',
  635: 'Sbdgpq',
  636: '$0123456789{}',
  656: 'K',
  684: 'AV',
  685: 'XZ',
  686: 'B',
  695: 'R',
  698: 'C',
  732: 'U',
  748: 'N',
  752: 'H',
  770: 'D',
  775: 'G',
  780: '&',
  787: 'OQ',
  818: 'w',
  838: '#+<=>^~×→',
  863: 'M',
  950: '%',
  974: 'm',
  989: 'W',
  1000: '@—…',
};

const bold = {
  306: "'",
  343: 'ijl',
  348: ' ',
  365: '/\\|',
  372: 'IJ',
  380: ',.·',
  400: ':;',
  415: '-',
  435: 'f',
  438: '⁹',
  456: '!',
  457: '()[]',
  478: 't',
  493: 'r',
  500: '_`–',
  521: '"',
  523: '*',
  580: '?',
  582: 'z',
  593: 'c',
  595: 's',
  637: 'L',
  645: 'x',
  652: 'vy',
  665: 'k',
  675: 'a',
  678: 'e',
  682: 'T',
  683: 'EF',
  687: 'o',
  696: '$0123456789',
  712: 'hnu{}',
  716: 'bdgpq',
  720: 'S',
  724: 'Y',
  725: 'Z',
  733: 'P',
  734: 'C',
  762: 'B',
  770: 'R',
  771: 'X',
  774: 'AV',
  775: 'K',
  812: 'U',
  821: 'G',
  830: 'D',
  837: 'HN',
  838: '#+<=>^~×→',
  850: 'OQ',
  872: '&',
  924: 'w',
  995: 'M',
  1000: '@—…',
  1002: '%',
  1042: 'm',
  1103: 'W',
};

const widthsOf = (characters: Readonly<Record<number, string>>): ReadonlyMap<string, number> =>
  new Map(
    Object.entries(characters).flatMap(([width, all]) =>
      Array.from(all, (one) => [one, Number(width)] as const),
    ),
  );

const widths = { regular: widthsOf(regular), bold: widthsOf(bold) };

/**
 * Pixels of a text in DejaVu Sans of a size. A no-break space is as wide as a space. A character without a width is an
 * error.
 */
export const widthOf = (
  text: string,
  { size, weight }: { readonly size: number; readonly weight: 'regular' | 'bold' },
): number => {
  const known = widths[weight];
  return Array.from(text.replaceAll('\u00a0', ' ')).reduce((sum, character) => {
    const width = known.get(character);
    if (width === undefined) throw new Error(`Add the width of ${character} to test/docs/dejavu-sans.ts`);
    return sum + (width * size) / 1000;
  }, 0);
};
