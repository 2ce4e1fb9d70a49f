/** The head of the row of an export. */
import { useApp } from '../app-context.ts';
import { exportName, placeOf, type ExportWithJob } from './exports.ts';

/** The head of a row: the name of an export, and where its files go. */
export const ExportHead = ({ of }: { readonly of: ExportWithJob }) => {
  const { texts } = useApp();
  return (
    <th scope="row">
      <bdi>{exportName(texts, of)}</bdi>
      <span class="second">
        <bdi>{placeOf(of)}</bdi>
      </span>
    </th>
  );
};
