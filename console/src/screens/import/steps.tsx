/** The four steps of a file, and where the reader is. */
import { useApp } from '../../app-context.ts';
import { Icon } from '../../parts/icon.tsx';

const steps = ['choose', 'check', 'import', 'mend'] as const;

/** The steps. Those before `at` are done, and with `done` all. */
export const Steps = ({ at }: { readonly at: (typeof steps)[number] | 'done' }) => {
  const words = useApp().texts.import.steps;
  const here = at === 'done' ? steps.length : steps.indexOf(at);
  return (
    <ol class="steps" aria-label={words.label}>
      {steps.map((step, index) => (
        <li key={step} {...(index === here ? { 'aria-current': 'step' as const } : {})}>
          <b>{index < here ? <Icon name="tick" small /> : index + 1}</b>
          <span>{words[step]}</span>
        </li>
      ))}
    </ol>
  );
};
