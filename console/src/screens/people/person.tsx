/** One person: may we write to them, why are they where they are, and what is known. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { useAction, useLoad } from '../../load.ts';
import { Icon } from '../../parts/icon.tsx';
import { Problem } from '../../parts/notice.tsx';
import { Loading, Title } from '../../parts/panel.tsx';
import { personName } from '../../person-name.ts';
import { goTo } from '../../route.ts';
import { openFile, saveFile } from '../../save-file.ts';
import { useSourceNames } from '../../sources.ts';
import { ForgetDialog } from './forget.tsx';
import { askFor, EVERY_USE, identitiesOf, provenanceOf, type Known } from './known.ts';
import { SegmentsPanel } from './memberships.tsx';
import { ObjectionNotice, StopUse } from './objections.tsx';
import { ConsentPanel, IdentitiesPanel, SetsPanel } from './panels.tsx';
import type { Forgotten } from './receipt.tsx';
import { ReceiversPanel } from './receivers.tsx';
import { ValuesPanel } from './values.tsx';
import { WhyDrawer } from './why.tsx';

export const Person = (props: {
  readonly uuid: string;
  /** The segment whose explanation is open. */
  readonly segment: string | undefined;
  /** The person, if the search has just found them. */
  readonly take: (uuid: string) => Known | undefined;
  readonly onForgotten: (forgotten: Forgotten) => void;
}) => {
  const { api, texts } = useApp();
  const { uuid, segment, take, onForgotten } = props;
  const loaded = useLoad(
    uuid,
    async (signal) => take(uuid) ?? (await askFor(api, { profile_uuid: uuid }, signal)),
  );
  const close = (): void => {
    goTo('people', [uuid]);
  };
  return (
    <>
      <Loading from={loaded} texts={texts}>
        {(known) => (
          <Shown
            uuid={uuid}
            known={known}
            segment={segment}
            onChanged={loaded.reload}
            onForgotten={onForgotten}
          />
        )}
      </Loading>
      {segment !== undefined && loaded.data && (
        <WhyDrawer
          key={segment}
          uuid={uuid}
          segment={segment}
          consent={loaded.data.consent}
          onClose={close}
        />
      )}
    </>
  );
};

/** The sources of all that is shown. */
const sourcesOf = (known: Known): readonly string[] => {
  const { fields, extra_data, consent, removed_tags: removed } = provenanceOf(known);
  return [...Object.values(fields).flat(), ...Object.values(extra_data).flat(), ...consent, ...removed].map(
    ({ source }) => source,
  );
};

const Shown = (props: {
  readonly uuid: string;
  readonly known: Known;
  readonly segment: string | undefined;
  readonly onChanged: () => void;
  readonly onForgotten: (forgotten: Forgotten) => void;
}) => {
  const { texts, can } = useApp();
  const { uuid, known, segment } = props;
  const identities = identitiesOf(known);
  const about = { name: personName(known.profile, texts), identities, onDone: props.onChanged };
  const nameOf = useSourceNames(sourcesOf(known));
  const objects = provenanceOf(known).consent.some(
    ({ channel, state, won }) => channel === EVERY_USE && state === 'withdrawn' && won,
  );
  return (
    <>
      <PersonHead uuid={uuid} known={known} onForgotten={props.onForgotten} />
      {objects && <ObjectionNotice {...about} />}
      <div class="split person">
        <div>
          <ConsentPanel known={known} nameOf={nameOf}>
            {!objects && identities.length > 0 && can('people.erase') && <StopUse {...about} />}
          </ConsentPanel>
          <SegmentsPanel uuid={uuid} segments={known.segments ?? []} open={segment} />
          <ReceiversPanel uuid={uuid} />
        </div>
        <div>
          <IdentitiesPanel known={known} nameOf={nameOf} />
          <ValuesPanel known={known} nameOf={nameOf} />
          <SetsPanel known={known} nameOf={nameOf} />
        </div>
      </div>
    </>
  );
};

/** Saves everything that the service knows of the person as a file. */
const useDownload = (uuid: string) => {
  const { api } = useApp();
  const ends = useRef(new AbortController());
  useEffect(() => () => ends.current.abort(), []);
  return useAction(async () => {
    const { signal } = ends.current;
    const answer = await api.accessRequest({ query: { profile_uuid: uuid, redirect: false }, signal });
    if (signal.aborted) return;
    if ('location' in answer) {
      openFile(answer.location);
      return;
    }
    const file = new Blob([JSON.stringify(answer)], { type: 'application/json' });
    saveFile(`access-request-${uuid}.json`, file);
  });
};

const PersonHead = (props: {
  readonly uuid: string;
  readonly known: Known;
  readonly onForgotten: (forgotten: Forgotten) => void;
}) => {
  const { texts, can } = useApp();
  const { uuid, known, onForgotten } = props;
  const words = texts.people;
  const [asks, setAsks] = useState(false);
  const download = useDownload(uuid);
  const name = personName(known.profile, texts);
  const { email, phone_number, unique_id, city } = known.profile;
  const line = [email, phone_number, unique_id, city].filter(
    (text) => text !== null && text !== '' && text !== name,
  );
  return (
    <>
      <div class="head">
        <div>
          <Title>
            <bdi>{name}</bdi>
          </Title>
          <p class="row known">
            {line.map((text) => (
              <bdi key={text}>{text}</bdi>
            ))}
          </p>
        </div>
        <div class="row">
          <button
            type="button"
            class="button"
            aria-disabled={download.running}
            onClick={() => download.run()}
          >
            <Icon name="download" small />
            {words.allData}
          </button>
          {can('people.erase') && (
            <button type="button" class="button erases" onClick={() => setAsks(true)}>
              {words.forget}
            </button>
          )}
        </div>
      </div>
      <Problem error={download.problem} texts={texts} />
      {asks && (
        <ForgetDialog
          uuid={uuid}
          name={name}
          known={known}
          identities={identitiesOf(known)}
          onClose={() => setAsks(false)}
          onForgotten={onForgotten}
        />
      )}
    </>
  );
};
