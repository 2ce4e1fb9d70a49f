import { inspectFile, peopleFile, tryFile } from './try-file.ts';

/** Tries a file of e-mail addresses, with the other columns given as rows without their address. */
export const phonesOf = async (header: string, rows: readonly string[]) => {
  const tried = await tryFile(peopleFile(`E-Mail;${header}`, rows));
  const messages = tried.warnings.map(({ message }) => message);
  return { ...tried, messages, phones: tried.stored.map(({ fields }) => fields.phone_number) };
};

/** The country that an inspection suggests for the telephone numbers of such a file, and what it says of them. */
export const suggestedCountry = async (header: string, rows: readonly string[], domain?: string) => {
  const { suggestion } = await inspectFile(peopleFile(`E-Mail;${header}`, rows, domain));
  const maps = suggestion.definition?.mapping_fields.field_maps ?? [];
  const [phone] = maps.find(({ target_field }) => target_field === 'phone_number')?.transformations ?? [];
  const why = suggestion.columns.find(({ target_field }) => target_field === 'phone_number')?.why.join(' ');
  return { country: phone?.name === 'phone' ? phone.country : null, doubts: suggestion.doubts, why };
};
