/** The left side of the builder: the name, the rules, and ten of the people. */
import { useApp } from '../../../app-context.ts';
import { Problem } from '../../../parts/notice.tsx';
import { Panel } from '../../../parts/panel.tsx';
import { NAME_CHARACTERS } from '../../../segment-name.ts';
import type { Catalogue } from '../catalogue.ts';
import type { Count } from '../counts.ts';
import { PeopleTable } from '../members.tsx';
import { newGroup, type Draft } from './draft.ts';
import { GroupBox } from './group-box.tsx';
import { useOwnKeys } from './subjects.tsx';

/** The name and the rules, and ten of the people. */
export const Rules = (
  props: Draft & {
    readonly suggested: string;
    readonly catalogue: Catalogue;
    readonly total: Count | undefined;
    readonly counts: ReadonlyMap<number, Count>;
    readonly problem: unknown;
    /** Whether nothing can be changed: what is being saved is what is shown. */
    readonly locked: boolean;
    readonly onChange: (draft: Draft) => void;
  },
) => {
  const { texts } = useApp();
  const words = texts.segments.builder;
  const keys = useOwnKeys();
  const { name, group, total, counts, onChange } = props;
  return (
    <div>
      <fieldset class="stack" disabled={props.locked}>
        <label class="field">
          <span class="label">{texts.segments.name}</span>
          <input
            type="text"
            value={name}
            maxLength={NAME_CHARACTERS}
            placeholder={props.suggested}
            onInput={({ currentTarget }) => onChange({ name: currentTarget.value, group })}
          />
        </label>
        <GroupBox
          group={group}
          place=""
          depth={0}
          around={{ segments: props.catalogue.segments, keys, counts }}
          onChange={(next) => onChange({ name, group: next ?? newGroup() })}
        />
      </fieldset>
      <Problem error={props.problem} texts={texts} />
      {total !== undefined && total.sample.length > 0 && (
        <Panel
          title={words.sample(total.sample.length, total.people)}
          {...(total.sample.length < total.people ? { footer: words.sampleRest } : {})}
        >
          <PeopleTable people={total.sample} columns={['name', 'city', 'birthday', 'email']} />
        </Panel>
      )}
    </div>
  );
};
