/** Why rows were refused or warned about, the most frequent first. */
import type { ComponentChildren } from 'preact';
import { useApp } from '../../app-context.ts';
import { Panel } from '../../parts/panel.tsx';
import { exampleOf, titleOf, type Reason } from './row-words.ts';

/** A table of reasons; nothing if there are none. */
export const Reasons = (props: {
  readonly title: string;
  readonly reasons: readonly Reason[];
  readonly footer?: ComponentChildren;
}) => {
  const { title, reasons, footer } = props;
  const { texts, format } = useApp();
  const words = texts.import.reasons;
  if (reasons.length === 0) return null;
  return (
    <Panel title={title} footer={footer}>
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
          {reasons.map((reason) => {
            const example = exampleOf(texts, reason);
            return (
              <tr key={`${reason.code} ${reason.column ?? ''} ${reason.field ?? ''}`}>
                <th scope="row">
                  <bdi>{reason.column ?? reason.field ?? words.row}</bdi>
                  <span class="second">
                    {titleOf(texts, reason.code)}
                    {reason.example_line !== null && ` · ${words.first(format.number(reason.example_line))}`}
                    {example !== undefined && `: ${example}`}
                  </span>
                </th>
                <td class="number">{format.number(reason.count)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Panel>
  );
};
