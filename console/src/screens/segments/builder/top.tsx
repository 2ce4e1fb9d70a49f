/** The top of the builder: its title and buttons, and notices about what one builds. */
import { useApp } from '../../../app-context.ts';
import { Notice } from '../../../parts/notice.tsx';
import { Head } from '../../../parts/panel.tsx';
import { linkTo } from '../../../route.ts';
import type { Segment } from '../catalogue.ts';

export const Top = (props: {
  readonly edited: Segment | undefined;
  /** Undefined while the segment is being saved. */
  readonly onDiscard: (() => void) | undefined;
  /** Undefined while there is nothing to save. */
  readonly onSave: (() => void) | undefined;
}) => {
  const { texts } = useApp();
  const words = texts.segments.builder;
  const { edited } = props;
  return (
    <Head
      title={edited === undefined ? texts.segments.create : words.editTitle}
      crumb={<a href={linkTo('segments')}>{texts.segments.title}</a>}
    >
      {props.onDiscard && (
        <a
          class="button"
          href={linkTo('segments', edited === undefined ? [] : [edited.id])}
          onClick={props.onDiscard}
        >
          {words.discard}
        </a>
      )}
      <button
        type="button"
        class="button main"
        aria-disabled={props.onSave === undefined}
        onClick={props.onSave}
      >
        {words.save}
      </button>
    </Head>
  );
};

/** That the rules are those of an earlier visit, and a button to begin again. */
export const Earlier = (props: {
  /** Whether the reader came for other people, who are shown once these rules are discarded. */
  readonly isInTheWay: boolean;
  readonly onAnew: () => void;
}) => {
  const { texts } = useApp();
  const words = texts.segments.builder;
  return (
    <Notice
      actions={
        <button type="button" class="button small" onClick={props.onAnew}>
          {props.isInTheWay ? words.discardThese : words.anew}
        </button>
      }
    >
      <p>{props.isInTheWay ? words.inTheWay : words.again}</p>
    </Notice>
  );
};
