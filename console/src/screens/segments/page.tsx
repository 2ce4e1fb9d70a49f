/** One segment: its size, who is in it, how many of them one can write to, and its people. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { useLoad, type Loaded } from '../../load.ts';
import { Icon } from '../../parts/icon.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Head, Loading, Panel } from '../../parts/panel.tsx';
import { goTo, linkTo, type Route } from '../../route.ts';
import { Breakdown } from './breakdown.tsx';
import { isPreparing, type Catalogue, type Segment } from './catalogue.ts';
import { channelNames, channelsOf } from './channels.ts';
import { usualColumns, type TableColumn } from './columns.ts';
import { exactly } from './counts.ts';
import { DefinitionWords } from './definition-words.tsx';
import { DownloadDialog } from './download.tsx';
import { Figures } from './figures.tsx';
import { Members } from './members.tsx';
import { Name } from './name.tsx';
import { EditSegment } from './builder/builder.tsx';
import { RemoveDialog, RenameDialog } from './change.tsx';
import { Lists } from './lists.tsx';
import { Preparing } from './preparing.tsx';
import { Growth, useTimeline } from './timeline.tsx';
import { WeeklyDialog } from './weekly.tsx';
import { whereWords } from './where-words.ts';

const PREPARING_MS = 1_000;

/** The segment of an address, and what there is around it. */
export const SegmentPage = (props: {
  readonly id: string;
  readonly route: Route;
  readonly catalogue: Loaded<Catalogue>;
}) => {
  const { api, texts } = useApp();
  const segment = useLoad(
    `segment ${props.id}`,
    (signal) => api.getSegment({ path: { segment_id: props.id }, signal }),
    (found) => (isPreparing(found) ? PREPARING_MS : undefined),
  );
  return (
    <Loading from={segment} texts={texts}>
      {(found) => (
        <Shown segment={found} route={props.route} catalogue={props.catalogue} onChange={segment.reload} />
      )}
    </Loading>
  );
};

/** A segment of other segments that no newer one has replaced. */
const isEditable = ({ type, replaced_by: newer = null }: Segment): boolean =>
  type === 'custom' && newer === null;

type Open = 'download' | 'weekly' | 'remove' | 'rename';

const Shown = (props: {
  readonly segment: Segment;
  readonly route: Route;
  readonly catalogue: Loaded<Catalogue>;
  readonly onChange: () => void;
}) => {
  const { segment, catalogue } = props;
  const { texts, can } = useApp();
  const [columns, setColumns] = useState(usualColumns);
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const asTable = props.route.parts[1] === 'people' && can('people.read');
  const onDownload = can('exports.write') && !isPreparing(segment) ? () => setOpen('download') : undefined;
  if (
    props.route.parts[1] === 'edit' &&
    isEditable(segment) &&
    can('definitions.write') &&
    can('people.read')
  ) {
    return (
      <Loading from={catalogue} texts={texts}>
        {(loaded) => <EditSegment segment={segment} catalogue={loaded} onSaved={catalogue.reload} />}
      </Loading>
    );
  }
  return (
    <>
      {asTable ? (
        <Members
          {...{ segment, columns, onDownload }}
          channels={channelNames(catalogue.data?.segments ?? [])}
          onColumns={setColumns}
        />
      ) : (
        <Overview {...{ segment, catalogue, open, onDownload }} onOpen={setOpen} />
      )}
      <Dialogs
        {...{ segment, catalogue, open }}
        shown={asTable ? columns : undefined}
        onClose={close}
        onChange={props.onChange}
      />
    </>
  );
};

/** The dialog that is open. */
const Dialogs = (props: {
  readonly segment: Segment;
  readonly catalogue: Loaded<Catalogue>;
  readonly open: Open | undefined;
  readonly shown: readonly TableColumn[] | undefined;
  readonly onClose: () => void;
  readonly onChange: () => void;
}) => {
  const { segment, catalogue, open, onClose } = props;
  const channels = channelsOf(catalogue.data?.segments ?? []);
  return (
    <>
      {open === 'download' && (
        <DownloadDialog {...{ segment, channels }} shown={props.shown} onClose={onClose} />
      )}
      {open === 'weekly' && <WeeklyDialog {...{ segment, channels }} onClose={onClose} />}
      {open === 'remove' && (
        <RemoveDialog
          segment={segment}
          onClose={onClose}
          onDone={() => {
            catalogue.reload();
            goTo('segments');
          }}
        />
      )}
      {open === 'rename' && (
        <RenameDialog
          segment={segment}
          onClose={onClose}
          onDone={() => {
            onClose();
            catalogue.reload();
            props.onChange();
          }}
        />
      )}
    </>
  );
};

const Overview = (props: {
  readonly segment: Segment;
  readonly catalogue: Loaded<Catalogue>;
  readonly open: Open | undefined;
  readonly onDownload: (() => void) | undefined;
  readonly onOpen: (open: Open) => void;
}) => {
  const { segment } = props;
  const { texts, can } = useApp();
  const timeline = useTimeline(segment.id);
  const catalogue = props.catalogue.data;
  const known = new Map((catalogue?.segments ?? []).map((one) => [one.id, one]));
  return (
    <>
      <Head
        title={<Name of={segment} texts={texts} />}
        crumb={<a href={linkTo('segments')}>{texts.segments.title}</a>}
        line={<Line segment={segment} />}
      >
        <Buttons {...props} />
      </Head>
      <Replaced segment={segment} />
      {isPreparing(segment) && <Preparing words={texts.segments.page} share={segment.progress ?? 0} />}
      {!isPreparing(segment) && (
        <Figures segment={segment} catalogue={props.catalogue} timeline={timeline.data ?? undefined} />
      )}
      <Lists segment={segment.id} isMaking={props.open === 'weekly'} />
      {catalogue && segment.definition !== undefined && (
        <Panel title={texts.segments.page.definition} body>
          <DefinitionWords definition={segment.definition} known={known} />
        </Panel>
      )}
      {!isPreparing(segment) && segment.type !== 'moment' && <Growth segment={segment} timeline={timeline} />}
      {catalogue && can('people.read') && segment.count !== null && segment.count > 0 && (
        <Breakdown
          definition={segment.id}
          total={exactly(segment.count, segment.as_of)}
          segments={catalogue.segments}
          first={['age', 'place']}
          delayMs={0}
          linked
        />
      )}
    </>
  );
};

const Line = ({ segment }: { readonly segment: Segment }): ComponentChildren => {
  const { texts, format } = useApp();
  if (segment.where !== undefined) return <bdi>{whereWords(segment.where, texts, format)}</bdi>;
  return texts.segments.page.is[segment.type];
};

/** Types whose segments can be deleted once nobody is in them. */
const deletedWhenEmpty: readonly Segment['type'][] = ['tag', 'source', 'demographic', 'location', 'consent'];

const Buttons = (props: {
  readonly segment: Segment;
  readonly onDownload: (() => void) | undefined;
  readonly onOpen: (open: Open) => void;
}) => {
  const { segment, onOpen } = props;
  const { texts, can } = useApp();
  const words = texts.segments.page;
  const writes = can('definitions.write') && (segment.replaced_by ?? null) === null;
  const { type, count } = segment;
  const removable =
    type === 'custom' || type === 'condition' || (count === 0 && deletedWhenEmpty.includes(type));
  return (
    <>
      {writes && isEditable(segment) && can('people.read') && (
        <a class="button" href={linkTo('segments', [segment.id, 'edit'])}>
          {words.edit}
        </a>
      )}
      {writes && type === 'condition' && can('people.read') && (
        <button type="button" class="button" onClick={() => onOpen('rename')}>
          {words.rename}
        </button>
      )}
      {props.onDownload && (
        <button type="button" class="button" onClick={() => onOpen('weekly')}>
          <Icon name="clock" small />
          {texts.segments.weekly.button}
        </button>
      )}
      {props.onDownload && (
        <button type="button" class="button main" onClick={props.onDownload}>
          <Icon name="download" small />
          {texts.segments.download.button}
        </button>
      )}
      {writes && removable && (
        <button type="button" class="button plain erases" onClick={() => onOpen('remove')}>
          {words.remove}
        </button>
      )}
    </>
  );
};

const Replaced = ({ segment }: { readonly segment: Segment }) => {
  const { texts } = useApp();
  const words = texts.segments.page;
  const newer = segment.replaced_by ?? null;
  if (newer === null) return null;
  return (
    <Notice actions={<a href={linkTo('segments', [newer])}>{words.newer}</a>}>
      <p>{words.replaced}</p>
    </Notice>
  );
};
