/** Who may have the data of a person: receivers of exports, and services outside. */
import { useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { useLoad } from '../../load.ts';
import { FoldedPanel, Loading } from '../../parts/panel.tsx';
import { lastFinished, openUntil, receiversOf, type Disclosures } from './disclosures.ts';

/** The panel of the page of a person. It looks the receivers up when the reader opens it: that reads many files. */
export const ReceiversPanel = ({ uuid }: { readonly uuid: string }) => {
  const { api, texts } = useApp();
  const [asked, setAsked] = useState(false);
  const query = { profile_uuid: uuid, only: 'disclosures' } as const;
  const loaded = useLoad(asked ? uuid : undefined, (signal) => api.accessRequest({ query, signal }));
  return (
    <FoldedPanel title={texts.people.receivers.title} onToggle={() => setAsked(true)}>
      <Loading from={loaded} texts={texts}>
        {(answer) => 'disclosures' in answer && <Receivers of={answer.disclosures} />}
      </Loading>
    </FoldedPanel>
  );
};

/** Who may have the data, to be told. */
export const Receivers = ({ of: disclosures }: { readonly of: Disclosures }) => {
  const { texts, format } = useApp();
  const words = texts.people.receivers;
  const { exports, enrichers, since, all_looked_at } = disclosures;
  const nobody = exports.length === 0 && enrichers.length === 0;
  return (
    <>
      {!nobody && (
        <table>
          <tbody>
            {exports.map((exported) => (
              <ExportRow key={exported.id} of={exported} />
            ))}
            {enrichers.map(({ name, url, answered }) => (
              <tr key={name}>
                <th scope="row">
                  <bdi>{texts.words.source.enricher(name)}</bdi>
                </th>
                <td class="value">
                  {url !== null && <bdi>{url}</bdi>}
                  <span class="second">{answered ? words.answered : words.asked}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p class="filter small muted">
        {all_looked_at ? words[nobody ? 'nobody' : 'since'](format.day(since)) : words.notAll}
        {exports.length > 0 && ` ${words.noRow}`}
      </p>
    </>
  );
};

/** An export with its receivers. Without any, its files were fetched by whoever had their addresses. */
const ExportRow = ({ of: exported }: { readonly of: Disclosures['exports'][number] }) => {
  const { texts, format } = useApp();
  const words = texts.people.receivers;
  const { id, name, jobs, more_jobs } = exported;
  const receivers = receiversOf(jobs);
  return (
    <tr>
      <th scope="row">
        <bdi>{name ?? words.export(id)}</bdi>
        <span class="second">
          {words.files(jobs.length, format.number(jobs.length), format.when(lastFinished(jobs)))}
          {more_jobs && words.more}
        </span>
      </th>
      <td class="value">
        {receivers.map(({ name: receiver, state, delivered }) => (
          <div key={receiver}>
            <bdi>{receiver === 'unknown' ? '–' : receiver}</bdi>
            <span class="second">
              {texts.home.state[state]}
              {delivered !== null && `, ${format.when(delivered)}`}
            </span>
          </div>
        ))}
        {receivers.length === 0 && (
          <>
            {words.address}
            <span class="second">{words.until(format.day(openUntil(jobs)))}</span>
          </>
        )}
      </td>
    </tr>
  );
};
