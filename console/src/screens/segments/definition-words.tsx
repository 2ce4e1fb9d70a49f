/** The definition of a segment in words: a list of its parts, nested as the definition is. */
import { useApp } from '../../app-context.ts';
import { useLoad } from '../../load.ts';
import { Loading } from '../../parts/panel.tsx';
import { linkTo } from '../../route.ts';
import { wordFor } from '../../words.ts';
import { loadNamed, type Named } from './catalogue.ts';
import { idsIn, type StoredDefinition } from './definition.ts';
import { Name } from './name.tsx';

export const DefinitionWords = (props: {
  readonly definition: StoredDefinition;
  readonly known: ReadonlyMap<number, Named>;
}) => {
  const { api, texts } = useApp();
  const ids = idsIn(props.definition);
  const named = useLoad(`names ${ids.join(' ')}`, (signal) => loadNamed(api, ids, props.known, signal));
  return (
    <Loading from={named} texts={texts}>
      {(names) => <Part of={props.definition} names={names} />}
    </Loading>
  );
};

const Part = (props: { readonly of: StoredDefinition; readonly names: ReadonlyMap<number, Named> }) => {
  const { texts } = useApp();
  const words = texts.segments.page;
  const { of, names } = props;
  if (typeof of === 'number') return <SegmentLink id={of} named={names.get(of)} />;
  if ('not' in of) {
    const none = typeof of.not !== 'number' && 'any' in of.not ? of.not.any : undefined;
    return <Parts title={none ? words.none : words.not} parts={none ?? [of.not]} names={names} />;
  }
  return 'all' in of ? (
    <Parts title={words.all} parts={of.all} names={names} />
  ) : (
    <Parts title={words.any} parts={of.any} names={names} />
  );
};

const Parts = (props: {
  readonly title: string;
  readonly parts: readonly StoredDefinition[];
  readonly names: ReadonlyMap<number, Named>;
}) => (
  <div class="parts">
    <p class="small muted">{props.title}</p>
    <ul>
      {props.parts.map((part) => (
        <li key={JSON.stringify(part)}>
          <Part of={part} names={props.names} />
        </li>
      ))}
    </ul>
  </div>
);

const SegmentLink = ({ id, named }: { readonly id: number; readonly named: Named | undefined }) => {
  const { texts } = useApp();
  if (named === undefined) return <span class="muted">{texts.segments.page.gone(String(id))}</span>;
  return (
    <>
      <a href={linkTo('segments', [id])}>
        <Name of={named} texts={texts} />
      </a>{' '}
      <span class="small muted">{wordFor(texts, 'segmentType', named.type)}</span>
    </>
  );
};
