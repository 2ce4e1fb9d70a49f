/** The screen "Import": a file, its dry run, its job, and its refused rows. */
import { useState } from 'preact/hooks';
import { useApp } from '../app-context.ts';
import { Head } from '../parts/panel.tsx';
import type { Route } from '../route.ts';
import { CheckColumns } from './import/check-columns.tsx';
import { ChooseFile } from './import/choose-file.tsx';
import { ImportJobs } from './import/import-jobs.tsx';
import { ImportJobScreen } from './import/job-screen.tsx';
import { takeFile } from './import/handed-file.ts';
import { Steps } from './import/steps.tsx';

export const ImportScreen = ({ route }: { readonly route: Route }) => {
  const [importId, jobId] = route.parts.map(Number);
  if (importId !== undefined && jobId !== undefined)
    return <ImportJobScreen key={jobId} importId={importId} jobId={jobId} />;
  return <NewImport />;
};

/** A file with a number of its own: another choice of the same file begins anew. */
const numbered = (file: File | undefined) => file && { file, number: Date.now() };

const NewImport = () => {
  const { texts, can } = useApp();
  const [chosen, setChosen] = useState(() => numbered(takeFile()));
  if (chosen !== undefined) {
    const onAnother = (): void => {
      setChosen(undefined);
    };
    return <CheckColumns key={chosen.number} file={chosen.file} onAnother={onAnother} />;
  }
  const onFile = (file: File): void => {
    setChosen(numbered(file));
  };
  return (
    <>
      {can('people.write') && <Steps at="choose" />}
      <Head title={texts.import.title} />
      {can('people.write') && <ChooseFile title={texts.import.choose.title} onFile={onFile} />}
      <ImportJobs />
    </>
  );
};
