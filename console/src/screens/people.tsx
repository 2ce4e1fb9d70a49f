/** The screen "People": one box for any identity, and the person it finds. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../app-context.ts';
import { useAction } from '../load.ts';
import { takeQuestion } from '../parts/frame.tsx';
import { Icon } from '../parts/icon.tsx';
import { Notice, Problem } from '../parts/notice.tsx';
import { Empty } from '../parts/panel.tsx';
import { goTo, type Route } from '../route.ts';
import type { Texts } from '../texts/en.ts';
import { findPerson, type Outcome } from './people/find.ts';
import type { Known } from './people/known.ts';
import { Person } from './people/person.tsx';
import { Receipt, type Forgotten } from './people/receipt.tsx';
import { NamedPeople, Several } from './people/several.tsx';

/** The place of a receipt. It is no UUID. */
const FORGOTTEN = 'forgotten';

/** What was found, with the text that was looked for. */
type Found = Exclude<Outcome, { readonly kind: 'person' }> & { readonly text: string };

export const PeopleScreen = ({ route }: { readonly route: Route }) => {
  const { api, texts } = useApp();
  const [uuid, segment] = route.parts;
  const [question, setQuestion] = useState(takeQuestion);
  const [found, setFound] = useState<Found | undefined>(undefined);
  const [receipt, setReceipt] = useState<Forgotten | undefined>(undefined);
  const held = useRef<Known | undefined>(undefined);
  const search = useAction(async (text: string) => {
    setFound(undefined);
    const outcome = await findPerson(api, text);
    if (outcome.kind === 'person') {
      held.current = outcome.known;
      goTo('people', [outcome.known.profile.profile_uuid ?? '']);
      return;
    }
    setFound({ ...outcome, text });
    goTo('people');
  });
  useEffect(() => {
    if (question !== undefined) search.run(question);
  }, []);
  const take = (wanted: string): Known | undefined => {
    const known = held.current;
    held.current = undefined;
    return known?.profile.profile_uuid === wanted ? known : undefined;
  };
  const onSearch = (text: string): void => {
    setQuestion(text);
    search.run(text);
  };
  const onForgotten = (forgotten: Forgotten): void => {
    setReceipt(forgotten);
    setQuestion(undefined);
    goTo('people', [FORGOTTEN]);
  };
  const isReceipt = uuid === FORGOTTEN && receipt !== undefined;
  return (
    <>
      {(uuid === undefined || uuid === FORGOTTEN) && !isReceipt && (
        <h1 class="unseen">{texts.people.title}</h1>
      )}
      <SearchBox text={question ?? ''} onSearch={onSearch} />
      {search.running && <progress class="loading" aria-label={texts.parts.loading} />}
      <Problem error={search.problem} texts={texts} />
      {isReceipt && <Receipt forgotten={receipt} />}
      {uuid !== undefined && uuid !== FORGOTTEN && (
        <Person key={uuid} uuid={uuid} segment={segment} take={take} onForgotten={onForgotten} />
      )}
      {(uuid === undefined || (uuid === FORGOTTEN && !isReceipt)) && !search.running && (
        <Nothing found={found} />
      )}
    </>
  );
};

const SearchBox = (props: { readonly text: string; readonly onSearch: (text: string) => void }) => {
  const { texts } = useApp();
  const words = texts.people;
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const text = new FormData(event.currentTarget).get('q');
    if (typeof text === 'string' && text.trim() !== '') props.onSearch(text.trim());
  };
  return (
    <form class="search large" role="search" onSubmit={onSubmit}>
      <Icon name="search" />
      <input
        key={props.text}
        name="q"
        type="search"
        aria-label={words.findLabel}
        placeholder={words.find}
        defaultValue={props.text}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
      />
    </form>
  );
};

/** No person: what the search says, or how people are found. */
const Nothing = ({ found }: { readonly found: Found | undefined }) => {
  const { texts } = useApp();
  const words = texts.people;
  if (found === undefined) {
    return (
      <Empty title={words.findTitle}>
        <p class="muted">{words.emptyLine}</p>
      </Empty>
    );
  }
  if (found.kind === 'several') return <Several uuids={found.uuids} />;
  if (found.kind === 'named') return <NamedPeople people={found.people} />;
  return (
    <Notice>
      <p>
        <b>
          {words.nobody[found.looksLike]}{' '}
          <q>
            <bdi>{found.text}</bdi>
          </q>
          {found.byName ? words.norName : '.'}
        </b>
      </p>
      <p>{lineOf(found, words)}</p>
      {found.advice !== null && <p class="small">{found.advice}</p>}
    </Notice>
  );
};

/** What to try next. */
const lineOf = (found: Extract<Found, { readonly kind: 'nobody' }>, words: Texts['people']): string => {
  if (found.needsCountry) return words.needsCountry;
  return found.byName ? words.findByNameLine : words.findLine;
};
