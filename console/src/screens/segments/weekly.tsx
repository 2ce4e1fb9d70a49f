/** Sends the list of a segment every week: columns, consent, weekday, and to whom. */
import { useId, useState } from 'preact/hooks';
import type { Answer } from '../../../../client/src/types.ts';
import { useApp } from '../../app-context.ts';
import { useAction } from '../../load.ts';
import { Dialog, FormButtons } from '../../parts/dialog.tsx';
import { Notice, Problem } from '../../parts/notice.tsx';
import type { Segment } from './catalogue.ts';
import type { Channel } from './channels.ts';
import type { Count } from './counts.ts';
import {
  ColumnsField,
  ConsentField,
  formatOf,
  peopleIn,
  useConsentCounts,
  type Wanted,
} from './file-fields.tsx';
import { Name, nameOf } from './name.tsx';

type Made = Answer<'createExport'>;

/** The days of the week as schedules have them, Monday first. */
const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
type Weekday = (typeof weekdays)[number];

/** The hour at which lists go out, in the zone of the reader. */
const HOUR = '6';

/** A Monday, so that the names of the days come from the calendar of the language. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

/** The name of a weekday in a language: Monday. */
const weekdayName = (weekday: Weekday, language: string): string =>
  new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(
    MONDAY + weekdays.indexOf(weekday) * DAY_MS,
  );

const zone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

interface Wish {
  readonly wanted: Wanted;
  readonly channel: string | undefined;
  readonly weekday: Weekday;
  readonly address: string;
}

/** Makes the export that sends the list. It starts nothing before its first day. */
const useWeekly = (segment: Segment) => {
  const { api, texts } = useApp();
  const [made, setMade] = useState<Made>();
  const action = useAction(async ({ wanted, channel, weekday, address }: Wish) => {
    const day = weekdayName(weekday, document.documentElement.lang);
    setMade(
      await api.createExport({
        body: {
          name: texts.segments.weekly.exportName(nameOf(segment, texts), day).slice(0, 255),
          segment: [segment.id],
          ...(channel === undefined ? {} : { consent: { channel, state: 'given' } }),
          ...formatOf(wanted, undefined, texts),
          schedule: { minute: '0', hour: HOUR, day_of_week: weekday, timezone: zone() },
          notification_email: address.trim(),
        },
      }),
    );
  });
  return { ...action, made };
};

export const WeeklyDialog = (props: {
  readonly segment: Segment;
  readonly channels: readonly Channel[];
  readonly onClose: () => void;
}) => {
  const { segment, channels } = props;
  const { texts, caller } = useApp();
  const words = texts.segments.weekly;
  const [wish, setWish] = useState<Wish>({
    wanted: 'usual',
    channel: undefined,
    weekday: 'mon',
    address: caller.user.email,
  });
  const counts = useConsentCounts(segment, channels);
  const { made, running, problem, run } = useWeekly(segment);
  const change = (part: Partial<Wish>): void => setWish({ ...wish, ...part });
  const day = weekdayName(wish.weekday, document.documentElement.lang);
  const footer = (
    <FormButtons
      isDone={made !== undefined}
      isReady={!running && wish.address.trim() !== ''}
      texts={texts}
      onClose={props.onClose}
      onSubmit={() => {
        run(wish);
      }}
    >
      {words.submit(day)}
    </FormButtons>
  );
  return (
    <Dialog
      title={words.title}
      line={<Name of={segment} texts={texts} />}
      close={texts.parts.close}
      onClose={props.onClose}
      footer={footer}
    >
      {made ? (
        <Sent made={made} people={peopleIn(segment, wish.channel, channels, counts)} />
      ) : (
        <Fields {...{ segment, channels, counts, wish }} onChange={change} />
      )}
      <Problem error={problem} texts={texts} title={words.failed} />
    </Dialog>
  );
};

const Fields = (props: {
  readonly segment: Segment;
  readonly channels: readonly Channel[];
  readonly counts: readonly (Count | undefined)[];
  readonly wish: Wish;
  readonly onChange: (part: Partial<Wish>) => void;
}) => {
  const { segment, channels, counts, wish, onChange } = props;
  return (
    <>
      <ColumnsField wanted={wish.wanted} withShown={false} onChange={(wanted) => onChange({ wanted })} />
      <ConsentField
        {...{ segment, channels, counts }}
        channel={wish.channel}
        onChange={(channel) => onChange({ channel })}
      />
      <WeekdayField weekday={wish.weekday} onChange={(weekday) => onChange({ weekday })} />
      <AddressField address={wish.address} onChange={(address) => onChange({ address })} />
    </>
  );
};

const Sent = ({ made, people }: { readonly made: Made; readonly people: number | undefined }) => {
  const { texts, format, caller } = useApp();
  const words = texts.segments.weekly;
  const address = made.notification_email ?? '';
  const about =
    people === undefined ? undefined : texts.segments.download.people(people, format.number(people));
  return (
    <Notice title={words.first(format.when(made.next_run), about)}>
      <p>
        <bdi>{words.to(address)}</bdi>
      </p>
      <p>{words.link}</p>
      {address.toLowerCase() !== caller.user.email.toLowerCase() && <p>{words.confirm}</p>}
    </Notice>
  );
};

const WeekdayField = (props: {
  readonly weekday: Weekday;
  readonly onChange: (weekday: Weekday) => void;
}) => {
  const { texts } = useApp();
  const words = texts.segments.weekly;
  return (
    <label class="field">
      <span class="label">{words.when(zone())}</span>
      <select
        onChange={({ currentTarget: { value } }) => {
          const weekday = weekdays.find((one) => one === value);
          if (weekday !== undefined) props.onChange(weekday);
        }}
      >
        {weekdays.map((weekday) => (
          <option key={weekday} value={weekday} selected={weekday === props.weekday}>
            {words.every(weekdayName(weekday, document.documentElement.lang))}
          </option>
        ))}
      </select>
    </label>
  );
};

const AddressField = (props: { readonly address: string; readonly onChange: (address: string) => void }) => {
  const { texts } = useApp();
  const words = texts.segments.weekly;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{words.address}</label>
      <input
        id={id}
        type="email"
        value={props.address}
        autocomplete="off"
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => props.onChange(currentTarget.value)}
      />
      <p class="hint" id={`${id}-hint`}>
        {words.addressHint}
      </p>
    </div>
  );
};
