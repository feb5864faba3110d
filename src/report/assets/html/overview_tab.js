// SPDX-License-Identifier: Apache-2.0
//
// The first tab: a small flame graph, and below it what the page says without
// scripts.
"use strict";

class OverviewTab {
  id = "overview";
  title = "Overview";
  #report;

  /** @param {HeapReport} report */
  constructor(report) {
    const MOST_PIXELS = 14 * ROW_PIXELS;
    this.#report = report;
    this.section = sectionOf(this.id, this.title);
    this.chart = new FlameChart({
      label: "Flame graph, small. The tab Table has the same numbers as text.",
      mostPixels: MOST_PIXELS,
      zoom: (node) => report.state.set({tab: "flame", ...zoomTo(node)}),
      select: () => {},
    });
    const figure = element(
        "figure", {class: "preview"}, this.chart.element,
        element("figcaption", {class: "hint"},
                "Each frame is as wide as what it and its callees hold. ",
                "Click one to see it in the flame graph."));
    if (report.isComparison) figure.append(changeLegend());
    const heading = this.section.querySelector("h2");
    if (heading) heading.after(figure);
    else this.section.prepend(figure);
  }

  update() {
    const {flameView, settings} = this.#report;
    const whole = {...settings, focus: 0, hidden: [], search: "",
                   isMerged: false};
    this.chart.show(flameView.model(whole),
                    {zoomed: 0, selected: -1, isFlipped: false});
  }

  repaint() {
    this.chart.repaint();
  }
}
