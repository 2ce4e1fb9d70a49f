/** How a file is written: what the service found, and the reader's own word for it. */
import { useApp } from '../../app-context.ts';
import { useState } from 'preact/hooks';
import type { Reading, Wish } from './read-file.ts';

/** Encodings that are offered, besides what the service found. Programs of this century write one of the first three. */
const encodings = [
  'utf-8',
  'windows-1252',
  'utf-16',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'ibm850',
  'macintosh',
  'shift_jis',
  'gb18030',
] as const;

type FormProps = {
  readonly reading: Reading;
  readonly wish: Wish;
  readonly onWish: (wish: Wish) => void;
};

/** The delimiters that the service reads. */
const delimiters = ['comma', 'semicolon', 'tab', 'pipe'] as const;

/** One line about the form of the file, and a button that opens three fields. */
export const FileForm = (props: FormProps) => {
  const { texts, format } = useApp();
  const words = texts.import.form;
  const [isOpen, setIsOpen] = useState(false);
  const { dialect, header } = props.reading.inspected;
  const facts = [
    words.columns(format.number(header.length)),
    ...(dialect === null ? [] : [words.delimiter[dialect.delimiter], dialect.encoding]),
  ];
  return (
    <>
      {facts.join(' · ')}{' '}
      <button
        type="button"
        class="linklike"
        aria-expanded={isOpen}
        onClick={() => {
          setIsOpen(!isOpen);
        }}
      >
        {words.change}
      </button>
      {isOpen && <Fields {...props} />}
    </>
  );
};

const Fields = ({ wish, onWish }: FormProps) => {
  const words = useApp().texts.import.form;
  return (
    <span class="row form">
      <label class="field">
        <span class="label">{words.encoding}</span>
        <select
          value={wish.encoding ?? ''}
          onChange={({ currentTarget: { value } }) => {
            onWish({ ...wish, encoding: encodings.find((one) => one === value) });
          }}
        >
          <option value="">{words.found}</option>
          {encodings.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span class="label">{words.delimiterLabel}</span>
        <select
          value={wish.delimiter ?? ''}
          onChange={({ currentTarget: { value } }) => {
            onWish({ ...wish, delimiter: delimiters.find((one) => one === value) });
          }}
        >
          <option value="">{words.found}</option>
          {delimiters.map((one) => (
            <option key={one} value={one}>
              {words.delimiter[one]}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span class="label">{words.headerLine}</span>
        <input
          type="number"
          min={1}
          max={1000}
          value={wish.headerLine ?? ''}
          placeholder={words.found}
          onChange={({ currentTarget: { value } }) => {
            const line = Number(value);
            onWish({ ...wish, headerLine: Number.isInteger(line) && line > 0 ? line : undefined });
          }}
        />
      </label>
    </span>
  );
};
