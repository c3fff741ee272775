"""The report of a survey for people and for other programs: a page of HTML, SARIF and JUnit's XML."""
