/** What one chooses for a file: its columns, and the consent that everybody in it has given. */
import { useState } from 'preact/hooks';
import type { Input } from '../../../../client/src/types.ts';
import { useApp } from '../../app-context.ts';
import type { Texts } from '../../texts/en.ts';
import { wordFor } from '../../words.ts';
import type { Segment } from './catalogue.ts';
import { addressOf, withoutAddress, type Channel } from './channels.ts';
import { exportColumns, type TableColumn } from './columns.ts';
import { useCounts, type Count } from './counts.ts';
import { Figure } from './figure.tsx';

/** What a file has for columns. */
export type Wanted = 'usual' | 'shown' | 'all';

/** The columns of a file, as the service takes them. */
export type FileFormat = Pick<
  NonNullable<Input<'createExport'>['body']>,
  'field_set' | 'custom_result_format' | 'data_format'
>;

/** The format of a file. `shown` are the columns of the table, where there is one. */
export const formatOf = (
  wanted: Wanted,
  shown: readonly TableColumn[] | undefined,
  forExcel: boolean,
  texts: Texts,
): FileFormat => {
  const data_format = forExcel ? (`excel_${texts.parts.excelDelimiter()}` as const) : 'csv';
  if (wanted === 'all') return { data_format, field_set: 'all' };
  const columns = wanted === 'shown' && shown ? shown : (['name', 'email', 'city'] as const);
  return { data_format, field_set: 'custom', custom_result_format: exportColumns(columns, texts) };
};

/** The channel whose consent a file asks for: that of most statements, until the reader chooses. */
export const useChannel = (channels: readonly Channel[]) => {
  const [chosen, choose] = useState<{ readonly channel: string | undefined }>();
  const channel = chosen ? chosen.channel : channels[0]?.channel;
  return [channel, (next: string | undefined) => choose({ channel: next })] as const;
};

/** The choice between a file that Excel opens as it is, and one for other programs. */
export const FormatField = (props: {
  readonly forExcel: boolean;
  readonly onChange: (forExcel: boolean) => void;
}) => {
  const words = useApp().texts.segments.download;
  return (
    <label class="field">
      <span class="label">{words.format}</span>
      <select onChange={({ currentTarget: { value } }) => props.onChange(value === '')}>
        <option value="">{words.forExcel}</option>
        <option value="csv" selected={!props.forExcel}>
          {words.csv}
        </option>
      </select>
    </label>
  );
};

/** How many people of a file have no address: none of the channel, and no e-mail address if the file has a column of it. */
const Unreachable = (props: {
  readonly segment: Segment;
  readonly of: Channel | undefined;
  readonly withEmail: boolean;
}) => {
  const { texts, can } = useApp();
  const words = texts.segments.download;
  const ofChannel = props.of && addressOf(props.of.channel);
  const fields = new Set([...(ofChannel ? [ofChannel] : []), ...(props.withEmail ? ['email' as const] : [])]);
  const asked = can('people.read') ? [...fields] : [];
  const { counts } = useCounts(asked.map((field) => withoutAddress(props.segment.id, field, props.of)));
  return (
    <>
      {asked.map((field, index) => {
        const count = counts[index];
        if (count === undefined) return null;
        const isNobody = count.people === 0 && count.read === undefined;
        return (
          <span key={field} class="hint">
            {wordFor(texts, 'field', field)}:{' '}
            {isNobody ? (
              words.allHave
            ) : (
              <>
                {words.lacking} <Figure of={count} />
              </>
            )}
          </span>
        );
      })}
    </>
  );
};

/** Whether a file has a column of e-mail addresses. */
export const hasEmail = (wanted: Wanted, shown: readonly TableColumn[] | undefined): boolean =>
  wanted !== 'shown' || shown === undefined || shown.includes('email');

/** How many people of a segment have given consent on each channel, for who may see that. */
export const useConsentCounts = (
  segment: Segment,
  channels: readonly Channel[],
): readonly (Count | undefined)[] => {
  const { can } = useApp();
  const counting = can('people.read') ? channels : [];
  return useCounts(counting.map((one) => ({ all: [segment.id, one.segment] }))).counts;
};

/** How many people a file will have, as far as that is known exactly. */
export const peopleIn = (
  segment: Segment,
  channel: string | undefined,
  channels: readonly Channel[],
  counts: readonly (Count | undefined)[],
): number | undefined => {
  if (channel === undefined) return segment.count ?? undefined;
  const count = counts[channels.findIndex((one) => one.channel === channel)];
  return count?.read === undefined ? count?.people : undefined;
};

/** The choice of the columns. */
export const ColumnsField = (props: {
  readonly wanted: Wanted;
  readonly withShown: boolean;
  readonly onChange: (wanted: Wanted) => void;
}) => {
  const { texts } = useApp();
  const words = texts.segments.download;
  const choices = [
    ...(props.withShown ? [['shown', words.shown] as const] : []),
    ['usual', words.usual] as const,
    ['all', words.everything] as const,
  ];
  return (
    <label class="field">
      <span class="label">{words.columns}</span>
      <select
        onChange={({ currentTarget: { value } }) => {
          const [chosen] = choices.find(([name]) => name === value) ?? [];
          if (chosen !== undefined) props.onChange(chosen);
        }}
      >
        {choices.map(([name, label]) => (
          <option key={name} value={name} selected={name === props.wanted}>
            {label}
          </option>
        ))}
      </select>
      {props.wanted === 'all' && <span class="hint">{words.statedAge}</span>}
    </label>
  );
};

/** The choice of a consent, with how many people each leaves. */
export const ConsentField = (props: {
  readonly segment: Segment;
  readonly channels: readonly Channel[];
  readonly counts: readonly (Count | undefined)[];
  readonly channel: string | undefined;
  /** Whether the file has a column of e-mail addresses. */
  readonly withEmail?: boolean;
  readonly onChange: (channel: string | undefined) => void;
}) => {
  const { texts, format } = useApp();
  const words = texts.segments.download;
  const peopleOf = (count: number | null | undefined): string =>
    count === undefined || count === null ? '–' : words.people(count, format.number(count));
  return (
    <label class="field">
      <span class="label">{words.consent}</span>
      <select
        onChange={({ currentTarget: { value } }) =>
          props.onChange(props.channels.find(({ segment }) => String(segment) === value)?.channel)
        }
      >
        <option value="" selected={props.channel === undefined}>
          {words.everybody(peopleOf(props.segment.count))}
        </option>
        {props.channels.map(({ channel, segment }, index) => (
          <option key={segment} value={segment} selected={channel === props.channel}>
            {words.given(wordFor(texts, 'channel', channel), peopleOf(props.counts[index]?.people))}
          </option>
        ))}
      </select>
      {props.channels.length === 0 && <span class="hint">{words.noChannel}</span>}
      <Unreachable
        segment={props.segment}
        of={props.channels.find(({ channel }) => channel === props.channel)}
        withEmail={props.withEmail ?? true}
      />
    </label>
  );
};
