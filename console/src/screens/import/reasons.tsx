/** Why rows were refused or warned about, the most frequent first. */
import { useApp } from '../../app-context.ts';
import { Panel } from '../../parts/panel.tsx';
import type { ImportJob } from './use-trial.ts';

/** A reason with its count. */
export type Reason = ImportJob['refused_by'][number];

/** The rule that rows broke, without the column in front: `Must be an e-mail address.` */
export const ruleOf = ({
  column,
  field,
  example_message,
  code,
}: Omit<Reason, 'count' | 'example_line'>): string => {
  const message = example_message ?? code.replaceAll('_', ' ');
  const starts = [`${column ?? ''} (${field ?? ''}): `, `${column ?? ''}: `, `${field ?? ''}: `];
  const start = starts.find((one) => message.startsWith(one)) ?? '';
  return message.slice(start.length);
};

/** A table of reasons; nothing if there are none. */
export const Reasons = ({
  title,
  reasons,
}: {
  readonly title: string;
  readonly reasons: readonly Reason[];
}) => {
  const { texts, format } = useApp();
  const words = texts.import.reasons;
  if (reasons.length === 0) return null;
  return (
    <Panel title={title}>
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">{words.reason}</th>
            <th scope="col" class="number">
              {words.rows}
            </th>
          </tr>
        </thead>
        <tbody>
          {reasons.map((reason) => (
            <tr key={`${reason.code} ${reason.column ?? ''} ${reason.field ?? ''}`}>
              <th scope="row">
                <bdi>{reason.column ?? reason.field ?? words.row}</bdi>
                <span class="second">
                  {ruleOf(reason)}
                  {reason.example_line !== null && ` ${words.first(format.number(reason.example_line))}`}
                </span>
              </th>
              <td class="number">{format.number(reason.count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
};
