/** Panels: the surfaces on which a screen puts its parts. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { focusTitle } from '../focus.ts';
import type { Loaded } from '../load.ts';
import type { Texts } from '../texts/en.ts';
import { Icon } from './icon.tsx';
import { Problem } from './notice.tsx';

/** A panel with a title. `body` gives its content a margin; tables and lists go to the edge. */
export const Panel = (props: {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly footer?: ComponentChildren;
  readonly body?: boolean;
  readonly children: ComponentChildren;
}) => (
  <section class="panel" aria-label={props.title}>
    <header>
      <h2>{props.title}</h2>
      {props.aside !== undefined && <span class="end small">{props.aside}</span>}
    </header>
    {props.body === true ? <div class="body stack">{props.children}</div> : props.children}
    {props.footer !== undefined && <footer>{props.footer}</footer>}
  </section>
);

/** A panel that opens and closes with a press on its title. */
export const FoldedPanel = (props: {
  readonly title: ComponentChildren;
  readonly tag?: string;
  readonly open?: boolean;
  readonly onToggle?: () => void;
  readonly children: ComponentChildren;
}) => (
  <details class="panel" open={props.open} onToggle={props.onToggle}>
    <summary>
      <Icon name="right" small />
      <h2>{props.title}</h2>
      {props.tag !== undefined && <span class="tag">{props.tag}</span>}
    </summary>
    {props.children}
  </details>
);

/** What was loaded: a bar while nothing has come, the problem, or the content. The frame is there at once. */
export const Loading = <T,>(props: {
  readonly from: Loaded<T>;
  readonly texts: Texts;
  readonly children: (data: T) => ComponentChildren;
}) => {
  const { data, problem, waiting, reload } = props.from;
  if (waiting) return <progress class="loading" aria-label={props.texts.parts.loading} />;
  const again = (
    <button type="button" class="button small" onClick={reload}>
      {props.texts.parts.tryAgain}
    </button>
  );
  return (
    <>
      <Problem error={problem} texts={props.texts} actions={again} />
      {data !== undefined && props.children(data)}
    </>
  );
};

/** The title of a screen. It takes the focus of a reader who came here; a new text of it is read aloud. */
export const Title = (props: { readonly class?: string; readonly children: ComponentChildren }) => {
  useEffect(focusTitle, []);
  return (
    <h1 class={props.class} tabIndex={-1} aria-live="polite">
      {props.children}
    </h1>
  );
};

/** The top of a screen: its title, a line below, and its buttons. */
export const Head = (props: {
  readonly title: ComponentChildren;
  readonly crumb?: ComponentChildren;
  readonly line?: ComponentChildren;
  readonly children?: ComponentChildren;
}) => (
  <div class="head">
    <div>
      {props.crumb !== undefined && <p class="crumb">{props.crumb}</p>}
      <Title>{props.title}</Title>
      {props.line !== undefined && <p>{props.line}</p>}
    </div>
    {props.children !== undefined && <div class="row">{props.children}</div>}
  </div>
);

/** A place without content, and what to do next. */
export const Empty = (props: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="drop">
    <h2>{props.title}</h2>
    {props.children}
  </div>
);
