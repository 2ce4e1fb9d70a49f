/** Sends the list of a segment every week: columns, consent, weekday, and to whom. */
import { useId, useState } from 'preact/hooks';
import type { Answer } from '../../../../client/src/types.ts';
import { useApp } from '../../app-context.ts';
import { everyWeek, type Weekday } from '../../exports/schedule.ts';
import { WeekdayField, weekdayName } from '../../exports/weekday.tsx';
import { useAction } from '../../load.ts';
import { Dialog, FormButtons } from '../../parts/dialog.tsx';
import { Notice, Problem } from '../../parts/notice.tsx';
import type { Segment } from './catalogue.ts';
import type { Channel } from './channels.ts';
import type { Count } from './counts.ts';
import type { Destination } from './destinations.ts';
import {
  ColumnsField,
  ConsentField,
  FormatField,
  formatOf,
  peopleIn,
  useChannel,
  useConsentCounts,
  type Wanted,
} from './file-fields.tsx';
import { NAME_CHARACTERS, nameOf } from '../../segment-name.ts';
import { Name } from './name.tsx';
import { useDestinations, WayField } from './way-field.tsx';

type Made = Answer<'createExport'>;

interface Wish {
  readonly wanted: Wanted;
  readonly forExcel: boolean;
  readonly weekday: Weekday;
  /** The server that it goes to; `undefined` for a mail. */
  readonly way: Destination | undefined;
  readonly address: string;
}

/** A name of files is at most 200 bytes long: beside a longer name there is no room for the date. */
const NAME_BYTES = 150;

/** Where the list goes: to a server, each file under a name of its own, or with a link to an address. */
const deliveryOf = (name: string, { way, address }: Wish) => {
  if (way === undefined) return { notification_email: address.trim() };
  const isShort = new TextEncoder().encode(name).length <= NAME_BYTES;
  return { destination_of: way.export, ...(isShort ? { file_name: '{name}-{date}-{id}.csv' } : {}) };
};

/** Makes the export that sends the list. It starts nothing before its first day. */
const useWeekly = (segment: Segment) => {
  const { api, texts } = useApp();
  const [made, setMade] = useState<Made>();
  const action = useAction(async (wish: Wish, channel: string | undefined) => {
    const { wanted, forExcel, weekday } = wish;
    const name = texts.segments.weekly.exportName(nameOf(segment, texts)).slice(0, NAME_CHARACTERS);
    setMade(
      await api.createExport({
        body: {
          name,
          segment: [segment.id],
          ...(channel === undefined ? {} : { consent: { channel, state: 'given' } }),
          ...formatOf(wanted, undefined, forExcel, texts),
          schedule: everyWeek(weekday),
          ...deliveryOf(name, wish),
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
    forExcel: true,
    weekday: 'mon',
    way: undefined,
    address: caller.user.email,
  });
  const [channel, setChannel] = useChannel(channels);
  const counts = useConsentCounts(segment, channels);
  const { made, running, problem, run } = useWeekly(segment);
  const change = (part: Partial<Wish>): void => setWish({ ...wish, ...part });
  const day = weekdayName(wish.weekday);
  const footer = (
    <FormButtons
      isDone={made !== undefined}
      isReady={!running && (wish.way !== undefined || wish.address.trim() !== '')}
      texts={texts}
      onClose={props.onClose}
      onSubmit={() => {
        run(wish, channel);
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
        <Sent made={made} day={day} way={wish.way} people={peopleIn(segment, channel, channels, counts)} />
      ) : (
        <Fields {...{ segment, channels, counts, channel, wish }} onChange={change} onChannel={setChannel} />
      )}
      <Problem error={problem} texts={texts} title={words.failed} />
    </Dialog>
  );
};

const Fields = (props: {
  readonly segment: Segment;
  readonly channels: readonly Channel[];
  readonly counts: readonly (Count | undefined)[];
  readonly channel: string | undefined;
  readonly wish: Wish;
  readonly onChange: (part: Partial<Wish>) => void;
  readonly onChannel: (channel: string | undefined) => void;
}) => {
  const { segment, channels, counts, channel, wish, onChange } = props;
  const destinations = useDestinations();
  return (
    <>
      <ColumnsField wanted={wish.wanted} withShown={false} onChange={(wanted) => onChange({ wanted })} />
      <ConsentField {...{ segment, channels, counts, channel }} onChange={props.onChannel} />
      <FormatField forExcel={wish.forExcel} onChange={(forExcel) => onChange({ forExcel })} />
      <WeekdayField weekday={wish.weekday} onChange={(weekday) => onChange({ weekday })} />
      <WayField
        destinations={destinations}
        way={wish.way}
        onChange={(way) => onChange({ way, forExcel: way === undefined })}
      />
      {wish.way === undefined && (
        <AddressField address={wish.address} onChange={(address) => onChange({ address })} />
      )}
    </>
  );
};

const Sent = (props: {
  readonly made: Made;
  /** The name of the weekday. */
  readonly day: string;
  readonly way: Destination | undefined;
  readonly people: number | undefined;
}) => {
  const { made, day, way, people } = props;
  const { texts, format, caller } = useApp();
  const words = texts.segments.weekly;
  const address = made.notification_email;
  const next = made.next_run;
  const first = next === null ? '–' : `${day}, ${format.day(next)}, ${format.clock(next).slice(0, 5)}`;
  const about =
    people === undefined ? undefined : texts.segments.download.people(people, format.number(people));
  return (
    <Notice title={words.first(first, about)}>
      <p>
        <bdi>{words.to(way?.place ?? address ?? '')}</bdi>
      </p>
      <p>{way ? words.sent : words.link}</p>
      {address && address.toLowerCase() !== caller.user.email.toLowerCase() && <p>{words.confirm}</p>}
    </Notice>
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
