/** A CSS module: the names of its classes, as the build writes them. */
declare module '*.module.css' {
  const names: Readonly<Record<string, string>>;
  export default names;
}
declare module '*.css';
