/** A file that the reader chose on another screen. It has no address, so it is handed over here. */
let handed: File | undefined;

/** Hands a file to the screen "Import". */
export const handFile = (file: File): void => {
  handed = file;
};

/** Takes the file, once. */
export const takeFile = (): File | undefined => {
  const file = handed;
  handed = undefined;
  return file;
};
