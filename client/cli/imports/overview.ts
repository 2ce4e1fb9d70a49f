/** Shows on one screen what an import would do with each column of a file, and what is doubtful. */
import type { Context } from '../context.ts';
import { withOptionNames } from '../faults.ts';
import type { Column } from '../terminal/table.ts';
import { count, counted, listed, plain, wrapped } from '../terminal/text.ts';
import { type ImportDefinition, type Targets, targetsOf } from '../../src/imports/mapping.ts';
import { readDefinition } from './mapping.ts';

/** A column of the file in the answer of an inspection. */
export interface InspectedColumn {
  readonly column: string;
  readonly kind: 'mapped' | 'kept' | 'empty' | 'left_out';
  readonly target_field: string | null;
  readonly why: readonly string[];
}

/** A doubt in the answer of an inspection. */
export interface Doubt {
  readonly column: string | null;
  readonly saw: string;
  readonly cells: number;
  readonly examples: readonly string[];
  readonly does: string;
}

/** What an inspection says about a file. */
export interface Seen {
  readonly header: readonly string[];
  readonly sample: readonly (readonly string[])[];
  readonly suggestion: {
    /** The suggested definition; `readDefinition` reads it. */
    readonly definition?: unknown;
    readonly columns: readonly InspectedColumn[];
    readonly doubts: readonly Doubt[];
  };
}

/** A definition, and the columns of which the user spoke. */
export interface Mapped {
  readonly definition: Pick<ImportDefinition, 'mapping_fields'>;
  readonly targets: Targets;
}

const mappingColumns: readonly Column<readonly string[]>[] = [
  { heading: 'Column', least: 8, cell: ([column = '']) => column },
  { heading: 'Field', cell: ([, field = '']) => field },
  { heading: 'Example', least: 8, cell: ([, , example = '']) => example },
  { heading: 'Why', least: 20, wrap: true, cell: ([, , , why = '']) => why },
];

/** Columns of a file by what becomes of them. */
export interface Groups {
  /** The rows of the table: columns that fill a field, and columns of which the user spoke. */
  readonly mapped: readonly (readonly string[])[];
  readonly extra: readonly string[];
  readonly empty: readonly string[];
  /** Columns that are left out, by the reason. */
  readonly left: ReadonlyMap<string, readonly string[]>;
}

const YOURS = 'Your choice.';

/** The field of each column that the suggestion takes. */
const takenColumns = ({ columns }: Pick<Seen['suggestion'], 'columns'>): ReadonlyMap<string, string> =>
  new Map(
    columns.flatMap(({ column, target_field }) => (target_field === null ? [] : [[column, target_field]])),
  );

/** Groups the columns of a file. */
export const groupsOf = ({ definition, targets }: Mapped, { sample, suggestion }: Seen): Groups => {
  const mapped: (readonly string[])[] = [];
  const extra: string[] = [];
  const empty: string[] = [];
  const left = new Map<string, string[]>();
  const suggested = readDefinition(suggestion.definition);
  const taken = takenColumns(suggestion);
  for (const [index, { column, kind, target_field, why }] of suggestion.columns.entries()) {
    // Of several columns of one name, one is taken.
    const isSurplus = target_field === null && taken.has(column);
    const fields = isSurplus ? [] : targetsOf(definition, column);
    const isSuggested =
      fields.join() === (suggested ? targetsOf(suggested, column).join() : (target_field ?? ''));
    const isChosen = !isSurplus && (targets.has(column) || !isSuggested);
    if (fields.length === 0 && kind === 'empty') {
      empty.push(column);
    } else if (fields.length === 0) {
      const reason = isChosen ? YOURS : why.join(' ');
      left.set(reason, [...(left.get(reason) ?? []), column]);
    } else if (kind === 'kept' && !isChosen) {
      extra.push(column);
    } else {
      const example = sample.map((cells) => cells[index] ?? '').find((cell) => cell.trim() !== '') ?? '';
      mapped.push([column, fields.join(', '), example, reasonOf({ why, isChosen, isSuggested })]);
    }
  }
  return { mapped, extra, empty, left };
};

/** Why a column fills its field. The first reason of a field that the user chose is the choice; the others are about its values. */
const reasonOf = ({
  why,
  isChosen,
  isSuggested,
}: {
  readonly why: readonly string[];
  readonly isChosen: boolean;
  readonly isSuggested: boolean;
}): string => {
  if (!isChosen) return why.join(' ');
  return [YOURS, ...(isSuggested ? why.slice(1) : [])].join(' ');
};

/** Names of columns in one line. */
const NAMES_SHOWN = 40;

/** The lines about columns that are no rows of the table. */
export const groupLines = ({ extra, empty, left }: Omit<Groups, 'mapped'>): readonly string[] => [
  ...(extra.length === 0
    ? []
    : [
        `${counted(extra.length, 'column has', 'columns have')} no field and ${extra.length === 1 ? 'is' : 'are'} kept as extra data; ` +
          `leave ${extra.length === 1 ? 'it' : 'them'} out with --skip-unknown: ${listed(extra, NAMES_SHOWN)}.`,
      ]),
  ...(empty.length === 0
    ? []
    : [
        `${counted(empty.length, 'column is', 'columns are')} empty and left out: ${listed(empty, NAMES_SHOWN)}.`,
      ]),
  ...[...left].map(
    ([reason, columns]) =>
      `${counted(columns.length, 'column is', 'columns are')} left out: ${listed(columns, NAMES_SHOWN)}. ${reason}`,
  ),
];

/** Doubts that one screen has room for. */
const DOUBTS_SHOWN = 15;

/** The doubts that concern a definition: of a column, only if it fills the field that the service suggests. */
export const doubtsAbout = (
  definition: Pick<ImportDefinition, 'mapping_fields'>,
  { columns, doubts }: Seen['suggestion'],
): readonly Doubt[] => {
  const suggested = takenColumns({ columns });
  return doubts.filter(({ column }) => {
    if (column === null) return true;
    const fields = targetsOf(definition, column);
    const target = suggested.get(column);
    return target === undefined ? fields.length === 0 : fields.includes(target);
  });
};

/** How a user changes what doubts concern. */
export const hintFor = ({
  mapping,
  saveMapping,
}: {
  readonly mapping?: string;
  readonly saveMapping?: string;
}): string => {
  // The command ends with the advice to edit the file that it has written.
  if (saveMapping !== undefined) return '';
  return mapping === undefined
    ? 'To read a column in another way, write the mapping to a file with --save-mapping, and edit it.'
    : `To read a column in another way, edit ${mapping}.`;
};

/** The lines about doubts: what was seen, how often, examples, and what the import does. */
export const doubtLines = (
  doubts: readonly Doubt[],
  width = Infinity,
  hint = hintFor({}),
): readonly string[] => {
  if (doubts.length === 0) return [];
  const shown = doubts.slice(0, DOUBTS_SHOWN);
  const rest = doubts.length - shown.length;
  return [
    `Look at ${doubts.length === 1 ? 'this doubt' : `these ${count(doubts.length)} doubts`} before you import:`,
    ...shown.flatMap(({ column, saw, cells, examples, does }) => {
      const seen = examples.length === 0 ? '' : `: ${listed(examples, examples.length)}`;
      const text = `${column === null ? '' : `${column}: `}${saw} (${counted(cells, 'time')}${seen}) ${withOptionNames(does)}`;
      return wrapped(plain(text), width - 2).map((line, index) => `${index === 0 ? '! ' : '  '}${line}`);
    }),
    ...(rest > 0 ? [`… and ${counted(rest, 'more doubt')}; --json shows all.`] : []),
    ...(hint === '' ? [] : wrapped(plain(hint), width)),
  ];
};

/** Shows columns and doubts. */
export const showOverview = (
  context: Context,
  mapped: Mapped,
  seen: Seen,
  hint: string,
): readonly Doubt[] => {
  const groups = groupsOf(mapped, seen);
  const doubts = doubtsAbout(mapped.definition, seen.suggestion);
  if (groups.mapped.length > 0) {
    context.noteTable(mappingColumns, groups.mapped);
    context.note('');
  }
  const width = context.width;
  const lines = groupLines(groups).flatMap((line) => wrapped(plain(line), width));
  if (lines.length > 0) context.note(...lines, '');
  if (doubts.length > 0) context.note(...doubtLines(doubts, width, hint), '');
  return doubts;
};
