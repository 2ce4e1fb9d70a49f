/** Several people who share a telephone number or a name: a list to choose from. */
import { useApp } from '../../app-context.ts';
import { useLoad } from '../../load.ts';
import { useFew } from '../../parts/few.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Loading, Panel } from '../../parts/panel.tsx';
import { personName } from '../../person-name.ts';
import { linkTo } from '../../route.ts';
import type { Named } from './find.ts';
import type { Known } from './known.ts';

type Profile = Known['profile'];

/** People that are looked up at first. */
const FEW = 10;
/** People of a name that are shown at first. The service names no more. */
const MANY = 50;

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

/** People of a name. */
export const NamedPeople = ({ people }: { readonly people: Named }) => {
  const { texts, format } = useApp();
  const { profiles, complete, advice } = people;
  const { shown, more } = useFew(profiles.length, MANY);
  return (
    <>
      {!complete && <Notice>{advice ?? texts.people.notAll}</Notice>}
      <Panel
        title={texts.people.named(profiles.length, format.number(profiles.length), complete)}
        {...(more === undefined ? {} : { footer: more })}
      >
        <table class="cards">
          <tbody>
            {profiles.slice(0, shown).map((profile) => (
              <tr key={profile.profile_uuid}>
                <Person profile={profile} />
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
    </>
  );
};

const One = ({ uuid }: { readonly uuid: string }) => {
  const { api, texts } = useApp();
  const loaded = useLoad(uuid, (signal) => api.getProfile({ query: { profile_uuid: uuid }, signal }));
  const { data } = loaded;
  return (
    <tr>
      {data ? (
        <Person profile={data.profile} />
      ) : (
        <td>
          <Loading from={loaded} texts={texts}>
            {() => null}
          </Loading>
        </td>
      )}
    </tr>
  );
};

/** Who it is: the name, and what tells people of one name apart. */
const Person = ({ profile }: { readonly profile: Profile }) => {
  const { texts } = useApp();
  const { profile_uuid, street, zipcode, city, birthday, email, unique_id } = profile;
  const name = personName(profile, texts);
  const place = [street, [zipcode, city].filter(isText).join(' '), birthday?.slice(0, 4)].filter(isText);
  const identity = [email, unique_id].find((one) => isText(one) && one !== name);
  return (
    <>
      <th scope="row">
        <a href={linkTo('people', [profile_uuid ?? ''])}>
          <bdi>{name}</bdi>
        </a>
        <span class="second">
          <bdi>{place.join(', ')}</bdi>
        </span>
      </th>
      <td class="value muted whole">
        <bdi>{identity}</bdi>
      </td>
    </>
  );
};

const isText = (text: string | null | undefined): text is string => typeof text === 'string' && text !== '';
