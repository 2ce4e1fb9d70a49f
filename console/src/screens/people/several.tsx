/** Several people who share a telephone number: a list to choose from. */
import { useApp } from '../../app-context.ts';
import { useLoad } from '../../load.ts';
import { Loading, Panel } from '../../parts/panel.tsx';
import { linkTo } from '../../route.ts';
import { personName } from './known.ts';
import { useFew } from './panels.tsx';

/** People that are looked up at first. */
const FEW = 10;

export const Several = ({ uuids }: { readonly uuids: readonly string[] }) => {
  const { texts, format } = useApp();
  const { shown, more } = useFew(uuids.length, FEW);
  return (
    <Panel
      title={texts.people.several(format.number(uuids.length))}
      {...(more === undefined ? {} : { footer: more })}
    >
      <table>
        <tbody>
          {uuids.slice(0, shown).map((uuid) => (
            <One key={uuid} uuid={uuid} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
};

const One = ({ uuid }: { readonly uuid: string }) => {
  const { api, texts } = useApp();
  const loaded = useLoad(uuid, (signal) => api.getProfile({ query: { profile_uuid: uuid }, signal }));
  return (
    <tr>
      <th scope="row">
        <Loading from={loaded} texts={texts}>
          {({ profile }) => (
            <>
              <a href={linkTo('people', [uuid])}>
                <bdi>{personName(profile, texts)}</bdi>
              </a>
              <span class="second">
                <bdi>{[profile.city, profile.birthday?.slice(0, 4)].filter(Boolean).join(', ')}</bdi>
              </span>
            </>
          )}
        </Loading>
      </th>
    </tr>
  );
};
