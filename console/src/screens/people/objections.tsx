/** Objections: a person whose data is used for nothing, and how that begins and ends. */
import { useState } from 'preact/hooks';
import type { Tidemark } from '../../../../client/src/tidemark.ts';
import type { Item } from '../../../../client/src/types.ts';
import { useApp } from '../../app-context.ts';
import { useAction, useLoad } from '../../load.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Notice, Problem } from '../../parts/notice.tsx';
import { isolated, wordFor } from '../../words.ts';
import type { KnownIdentity } from './known.ts';

type Objection = Item<'listObjections'>;

/** Whom a dialog is about, and what follows it. */
interface About {
  readonly name: string;
  readonly identities: readonly KnownIdentity[];
  readonly onDone: () => void;
}

/** A question with a harmless answer and one that acts. */
const Question = (props: {
  readonly title: string;
  readonly line: string;
  readonly keep: string;
  readonly act: string;
  readonly work: () => Promise<void>;
  readonly onClose: () => void;
}) => {
  const { texts } = useApp();
  const act = useAction(async () => {
    await props.work();
    props.onClose();
  });
  const footer = (
    <>
      <button type="button" class="button" onClick={props.onClose}>
        {props.keep}
      </button>
      <button type="button" class="button main" aria-disabled={act.running} onClick={() => act.run()}>
        {props.act}
      </button>
    </>
  );
  return (
    <Dialog title={props.title} close={texts.parts.close} onClose={props.onClose} footer={footer}>
      <p>{props.line}</p>
      <Problem error={act.problem} texts={texts} />
    </Dialog>
  );
};

/** The button that stops every use of a person, with its question. A repetition changes nothing. */
export const StopUse = ({ name, identities, onDone }: About) => {
  const { api, texts } = useApp();
  const words = texts.people.stopping;
  const [asks, setAsks] = useState(false);
  const work = async (): Promise<void> => {
    for (const { field, text } of identities)
      await api.createObjection({ body: { [field]: text, scope: 'use' } });
    onDone();
  };
  return (
    <>
      <button type="button" class="button plain small" onClick={() => setAsks(true)}>
        {words.button}
      </button>
      {asks && (
        <Question
          title={words.title(isolated(name))}
          line={words.line}
          keep={words.keep}
          act={words.act}
          work={work}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  );
};

/** Identities whose objections are looked up. */
const LOOKED_UP = 20;

const objectionsOf = async (
  api: Tidemark,
  identities: readonly KnownIdentity[],
  signal: AbortSignal,
): Promise<readonly Objection[]> => {
  const found: Objection[] = [];
  for (const { field, text } of identities.slice(0, LOOKED_UP)) {
    const { objections } = await api.listObjections({ query: { [field]: text }, signal });
    found.push(...objections);
  }
  return found;
};

/** Says that the person objects, since when, and lets the objections end. */
export const ObjectionNotice = ({ name, identities, onDone }: About) => {
  const { api, texts, format, can } = useApp();
  const words = texts.people.stopping;
  const [asks, setAsks] = useState(false);
  const key = can('definitions.read')
    ? identities.map(({ field, text }) => `${field}:${text}`).join()
    : undefined;
  const { data = [], problem } = useLoad(key, (signal) => objectionsOf(api, identities, signal));
  const work = async (): Promise<void> => {
    for (const { id } of data) await api.endObjection({ path: { objection: id } });
    onDone();
  };
  const end = can('people.erase') && data.length > 0 && (
    <button type="button" class="button" onClick={() => setAsks(true)}>
      {words.end}
    </button>
  );
  return (
    <>
      <Notice kind="warn" title={texts.people.objects} actions={end}>
        <p>{texts.people.objectsLine}</p>
        {data.map(({ id, kind, scope, created }) => (
          <p key={id} class="small">
            {words.since(wordFor(texts, 'field', kind), format.when(created))} {words.scope[scope]}
          </p>
        ))}
      </Notice>
      <Problem error={problem} texts={texts} />
      {asks && (
        <Question
          title={words.endTitle(isolated(name))}
          line={words.endLine}
          keep={words.endKeep}
          act={words.endAct(data.length, format.number(data.length))}
          work={work}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  );
};
