/** The style sheet of the widgets and of the elements around them: the build of the npm package puts its text here. */
export const STYLE: string = "";
