/** The question before a person is forgotten: it says in numbers what is erased. */
import { useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { useAction } from '../../load.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/notice.tsx';
import { isolated } from '../../words.ts';
import type { Known, KnownIdentity } from './known.ts';
import type { Forgotten } from './receipt.tsx';
import { erasedKinds, erasedOf } from './rows.ts';

export const ForgetDialog = (props: {
  readonly uuid: string;
  readonly name: string;
  readonly known: Known;
  readonly identities: readonly KnownIdentity[];
  readonly onClose: () => void;
  readonly onForgotten: (forgotten: Forgotten) => void;
}) => {
  const { api, texts, format } = useApp();
  const { uuid, name, known, identities, onClose, onForgotten } = props;
  const words = texts.people.forgetting;
  const [refuses, setRefuses] = useState(false);
  const forget = useAction(async () => {
    const query = { profile_uuid: uuid, refuse_later: refuses };
    onForgotten({ answer: await api.forgetProfile({ query }), at: Date.now() });
  });
  const footer = (
    <>
      <button type="button" class="button" onClick={onClose}>
        {words.keep}
      </button>
      <button
        type="button"
        class="button danger"
        aria-disabled={forget.running}
        onClick={() => {
          forget.run();
        }}
      >
        {words.forget}
      </button>
    </>
  );
  return (
    <Dialog
      title={words.title(isolated(name))}
      line={words.line}
      close={texts.parts.close}
      onClose={onClose}
      footer={footer}
    >
      <Problem error={forget.problem} texts={texts} />
      <Counts known={known} />
      <p class="small muted">{words.others}</p>
      {identities.length > 0 && (
        <label class="check">
          <input
            type="checkbox"
            checked={refuses}
            onChange={({ currentTarget }) => setRefuses(currentTarget.checked)}
          />
          {words.refuse(identities.length, format.number(identities.length))}
        </label>
      )}
    </Dialog>
  );
};

/** What a forgetting erases, in numbers. */
const Counts = ({ known }: { readonly known: Known }) => {
  const { texts, format } = useApp();
  const words = texts.people.forgetting;
  const counts = erasedOf(known);
  return (
    <table class="counts">
      <tbody>
        <tr>
          <th scope="row">{words.person}</th>
          <td class="number">{format.number(1)}</td>
        </tr>
        {erasedKinds
          .filter((kind) => counts[kind] > 0)
          .map((kind) => (
            <tr key={kind}>
              <th scope="row">{words.kinds[kind]}</th>
              <td class="number">{format.number(counts[kind])}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
};
