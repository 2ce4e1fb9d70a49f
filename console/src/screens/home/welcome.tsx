/** The first look at a property without people: a file to begin with, and what comes then. */
import { useApp } from '../../app-context.ts';
import { Head, Panel } from '../../parts/panel.tsx';
import { goTo } from '../../route.ts';
import { ChooseFile } from '../import/choose-file.tsx';
import { handFile } from '../import/handed-file.ts';

/** Asks for a first file. */
export const Welcome = () => {
  const { texts, can } = useApp();
  const words = texts.home.welcome;
  const onFile = (file: File): void => {
    handFile(file);
    goTo('import');
  };
  return (
    <>
      <Head title={words.title} line={can('people.write') ? words.line : words.lineForViewers} />
      {can('people.write') && <ChooseFile title={texts.import.choose.title} onFile={onFile} />}
      <Panel title={words.then}>
        <table class="cards">
          <thead class="unseen">
            <tr>
              <th scope="col">{words.step}</th>
              <th scope="col">{words.does}</th>
            </tr>
          </thead>
          <tbody>
            {words.steps.map(([step, does]) => (
              <tr key={step}>
                <th scope="row" class="whole">
                  {step}
                </th>
                <td class="whole muted">{does}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
      <p class="small muted">
        {words.program} <a href="/docs">{words.reference}</a>
      </p>
    </>
  );
};
