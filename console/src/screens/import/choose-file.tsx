/** The place for a file: dropped, or chosen. */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';

/** Asks for a file. `children` stand below the words. */
export const ChooseFile = (props: {
  readonly title: string;
  readonly onFile: (file: File) => void;
  readonly children?: ComponentChildren;
}) => {
  const words = useApp().texts.import.choose;
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const take = (files: FileList | null | undefined): void => {
    const file = files?.[0];
    if (file) props.onFile(file);
  };
  return (
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => {
        setIsOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <h2>{props.title}</h2>
      <p class="muted short-lines">{words.line}</p>
      <input
        ref={input}
        type="file"
        hidden
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          currentTarget.value = '';
        }}
      />
      <div class="row">
        <button type="button" class="button main" onClick={() => input.current?.click()}>
          {words.button}
        </button>
        {props.children}
      </div>
    </div>
  );
};
