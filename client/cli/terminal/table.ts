/** Tables in plain text. */
import type { Paint } from './paint.ts';
import { clip, plain, widthOf, wrapped } from './text.ts';

/** A column: its heading, the cell of a row, and where cells stand. Numbers stand on the right. */
export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => string;
  readonly align?: 'left' | 'right';
  /** The column may be clipped, down to this width, when the terminal is too narrow. */
  readonly least?: number;
  /** A text that is too wide goes on in further lines instead of being clipped. */
  readonly wrap?: boolean;
}

const GAP = 2;

/**
 * The lines of a table that fits into `width` columns as far as its columns may be clipped. Cells are data: characters
 * that a terminal obeys are replaced.
 */
export const tableOf = <Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  paint: Paint,
  width = Infinity,
): readonly string[] => {
  const cells = rows.map((row) => columns.map(({ cell }) => plain(cell(row))));
  const widths = fit(
    columns.map(({ heading, least }, index) => {
      const natural = Math.max(widthOf(heading), ...cells.map((row) => widthOf(row[index] ?? '')));
      return { natural, least: Math.min(natural, Math.max(widthOf(heading), least ?? natural)) };
    }),
    width - GAP * (columns.length - 1),
  );
  const line = (row: readonly string[]): string =>
    columns
      .map(({ align = 'left' }, index) => {
        const room = widths[index] ?? 0;
        const text = clip(row[index] ?? '', room);
        const rest = ' '.repeat(Math.max(0, room - widthOf(text)));
        return align === 'right' ? `${rest}${text}` : `${text}${rest}`;
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const lines = (row: readonly string[]): readonly string[] => {
    const parts = columns.map(({ wrap }, index) =>
      wrap === true ? wrapped(row[index] ?? '', widths[index] ?? 0) : [row[index] ?? ''],
    );
    const height = Math.max(1, ...parts.map(({ length }) => length));
    return Array.from({ length: height }, (_, at) => line(parts.map((part) => part[at] ?? '')));
  };
  return [paint('bold', line(columns.map(({ heading }) => heading))), ...cells.flatMap(lines)];
};

interface Width {
  readonly natural: number;
  readonly least: number;
}

/** Takes the missing columns from the widest column that may still be clipped, one by one. */
const fit = (wanted: readonly Width[], room: number): readonly number[] => {
  const widths = wanted.map(({ natural }) => natural);
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const index = widestOf(widths, wanted);
    if (index === undefined) break;
    widths[index] = (widths[index] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
};

const widestOf = (widths: readonly number[], wanted: readonly Width[]): number | undefined => {
  let widest: number | undefined;
  for (const [index, { least }] of wanted.entries()) {
    const width = widths[index] ?? 0;
    if (width > least && (widest === undefined || width > (widths[widest] ?? 0))) widest = index;
  }
  return widest;
};

/** The lines of names and values, aligned. */
export const factsOf = (
  facts: readonly (readonly [name: string, value: string])[],
  paint: Paint,
): readonly string[] => {
  const width = Math.max(0, ...facts.map(([name]) => widthOf(name)));
  return facts.map(([name, value]) => {
    const label = name + ' '.repeat(width - widthOf(name));
    return `${paint('dim', label)}  ${plain(value)}`.trimEnd();
  });
};

/** A node of a tree, and the nodes below it. */
export interface Branch {
  readonly label: string;
  readonly below: readonly Branch[];
}

/** The lines of a tree. */
export const treeOf = (branches: readonly Branch[], paint: Paint, indent = ''): readonly string[] =>
  branches.flatMap(({ label, below }, index) => {
    const last = index === branches.length - 1;
    return [
      `${paint('dim', `${indent}${last ? '└ ' : '├ '}`)}${plain(label)}`,
      ...treeOf(below, paint, `${indent}${last ? '  ' : '│ '}`),
    ];
  });
