/** The receipt of a forgetting: what was erased, and who may have the data. It names nobody, and only this page has it. */
import type { Answer } from '../../../../client/src/types.ts';
import { useApp } from '../../app-context.ts';
import { Icon } from '../../parts/icon.tsx';
import { Panel, Title } from '../../parts/panel.tsx';
import { saveFile } from '../../save-file.ts';
import { isolated } from '../../words.ts';
import { Receivers } from './receivers.tsx';
import { erasedKinds } from './rows.ts';

/** A forgetting that has happened. */
export interface Forgotten {
  readonly answer: Answer<'forgetProfile'>;
  /** When the answer came, in milliseconds. */
  readonly at: number;
}

export const Receipt = ({ forgotten }: { readonly forgotten: Forgotten }) => {
  const { caller, property, texts, format } = useApp();
  const { answer, at } = forgotten;
  const refused = answer.refused_identities;
  const words = texts.people.forgotten;
  const save = (): void => {
    const receipt = {
      property: property.id,
      user: caller.user.id,
      received: new Date(at).toISOString(),
      ...answer,
    };
    const text = JSON.stringify(receipt, undefined, 2);
    saveFile(`forgotten-${answer.profile_uuid}.json`, new Blob([text], { type: 'application/json' }));
  };
  const footer = (
    <>
      <span>{words.namesNobody}</span>
      <button type="button" class="button plain small end" onClick={save}>
        <Icon name="download" small />
        {words.download}
      </button>
    </>
  );
  return (
    <div class="receipt stack">
      <div class="head">
        <div>
          <Title>{words.title}</Title>
          <p>{words.by(format.when(at), isolated(caller.user.first_name || caller.user.email))}</p>
        </div>
      </div>
      <Panel title={words.receipt} footer={footer}>
        <table>
          <tbody>
            {[...erasedKinds, 'moments' as const]
              .filter((kind) => kind === 'identities' || answer.removed[kind] > 0)
              .map((kind) => (
                <tr key={kind}>
                  <th scope="row">{words.kinds[kind]}</th>
                  <td class="number">
                    <b>{format.number(answer.removed[kind])}</b>
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </Panel>
      <Panel title={texts.people.receivers.title}>
        <Receivers of={answer.disclosures} />
      </Panel>
      {refused === undefined ? (
        <p class="muted">{words.again}</p>
      ) : (
        <p>{words.refused(refused, format.number(refused))}</p>
      )}
    </div>
  );
};
