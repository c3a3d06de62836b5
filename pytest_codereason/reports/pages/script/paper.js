// On paper everything is open, and the list has its first lines in full.

const LINES_ON_PAPER = 60;

const preparePaper = (explorer) => {
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open], .facet)")];
    for (const each of closed) each.open = true;
    if (explorer) explorer.list.showOnPaper(LINES_ON_PAPER);
  });
  addEventListener("afterprint", () => {
    for (const each of closed) each.open = false;
    if (explorer) explorer.list.leavePaper();
  });
};
